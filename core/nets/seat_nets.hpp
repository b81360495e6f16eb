// Small dense networks that learn, one for each seat, all in one call.
//
// Frameworks spend most of their time around such nets, not in them: a step of learning with 128 rows takes a few
// microseconds of arithmetic. Here zeros among the inputs cost nothing, and most of them are zero (one-hot cards and
// betting); all other layers are matrix products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiebitz::nets {

class SeatNets {
 public:
  // `sizes` are the numbers of inputs, of each hidden layer and of the outputs. With `adam`, `descend` takes the steps
  // of that method (Kingma and Ba 2015) instead of plain ones.
  SeatNets(std::vector<std::size_t> sizes, std::size_t seats, bool relu_output, bool adam = false);

  // Inputs (seats x rows x sizes.front()) to outputs (seats x rows x sizes.back()). What every layer said is kept.
  void outputs(const float* in, std::size_t rows, float* out);

  // The same for rows in any order, each with its seat, and nothing is kept: outputs (rows x sizes.back()).
  void say(const float* in, const std::int64_t* seats, std::size_t rows, float* out);

  // One step of gradient descent for the rows of the last `outputs`: `slopes` (as the outputs) is the derivative of
  // the loss by each output.
  void descend(const float* slopes, float rate);

  std::size_t seats() const { return seats_; }
  std::size_t rows() const { return rows_; }
  std::size_t inputs() const { return sizes_.front(); }
  std::size_t outputs() const { return sizes_.back(); }
  const std::vector<std::size_t>& sizes() const { return sizes_; }

  // A layer's weights (seats x inputs x columns) and biases (seats x columns): `columns` are the outputs, padded.
  struct Layer {
    std::size_t inputs = 0, outputs = 0, columns = 0;
    bool relu = false;
    std::vector<float> weights, bias;
    std::vector<float> said;             // seats x rows x columns
    std::vector<float> moved, unbiased;  // gradients of one seat
    // Adam: averages of the gradients and of their squares, as the weights and the biases.
    std::vector<float> mean, mean_bias, square, square_bias;
    const float* weights_of(std::size_t seat) const { return weights.data() + seat * inputs * columns; }
    const float* bias_of(std::size_t seat) const { return bias.data() + seat * columns; }
  };
  std::vector<Layer>& layers() { return layers_; }
  bool adam() const { return adam_; }
  // Steps of Adam so far.
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }

 private:
  // What is not zero in a row of inputs.
  struct Sparse {
    std::vector<std::size_t> places;
    std::vector<float> numbers;
    std::size_t count = 0;
    void read(const float* row, std::size_t size);
  };

  // The rows of a seat through all layers; layer n writes to said[n].
  void run(std::size_t seat, const float* in, std::size_t rows, const std::vector<float*>& said);

  std::vector<std::size_t> sizes_;
  std::size_t seats_;
  bool adam_;
  std::int64_t steps_ = 0;
  std::size_t rows_ = 0;
  std::vector<Layer> layers_;
  std::vector<float> in_;      // of the last `outputs`
  std::vector<float> slopes_;  // of the last layer, rows x columns
  std::vector<float> below_;   // of the layer below, rows x columns
  std::vector<float> turned_;  // weights of one seat, turned round
  std::vector<float> zeros_;
  std::vector<float*> at_;
  std::vector<float> aside_;  // what the layers say in `say`
  Sparse sparse_;
};

}  // namespace kiebitz::nets
