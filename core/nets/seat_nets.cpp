#include "nets/seat_nets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nets/clones.hpp"
#include "nets/multiply.hpp"

namespace kiebitz::nets {
namespace {

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
constexpr std::size_t kWide = 4;  // vectors that stay in registers

[[gnu::always_inline]] inline Lanes& lanes(float* at) { return *reinterpret_cast<Lanes*>(at); }
[[gnu::always_inline]] inline const Lanes& lanes(const float* at) { return *reinterpret_cast<const Lanes*>(at); }

template <std::size_t Wide>
[[gnu::always_inline]] inline void add_outer_of(const std::size_t* places, const float* numbers, std::size_t count,
                                                const float* row, std::size_t columns, float* matrix) {
  Lanes kept[Wide];
  for (std::size_t w = 0; w < Wide; ++w) kept[w] = lanes(row + w * kLanes);
  for (std::size_t n = 0; n < count; ++n) {
    float* into = matrix + places[n] * columns;
    for (std::size_t w = 0; w < Wide; ++w) lanes(into + w * kLanes) += kept[w] * numbers[n];
  }
}

// Row places[n] of the matrix += numbers[n] * row.
KIEBITZ_CLONES void add_outer(const std::size_t* places, const float* numbers, std::size_t count, const float* row,
                              std::size_t columns, float* matrix) {
  std::size_t c = 0;
  const auto run = [&]<std::size_t Wide>() __attribute__((always_inline)) {
    add_outer_of<Wide>(places, numbers, count, row + c, columns, matrix + c);
    c += Wide * kLanes;
  };
  while (c + kWide * kLanes <= columns) run.template operator()<kWide>();
  while (c < columns) run.template operator()<1>();
}

template <std::size_t Inputs>
[[gnu::always_inline]] inline void add_products_of(const float* in, std::size_t stride, std::size_t rows,
                                                   const float* slopes, std::size_t columns, float* out) {
  Lanes sums[Inputs];
  for (std::size_t i = 0; i < Inputs; ++i) sums[i] = lanes(out + i * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    const Lanes slope = lanes(slopes + r * columns);
    for (std::size_t i = 0; i < Inputs; ++i) sums[i] += slope * in[r * stride + i];
  }
  for (std::size_t i = 0; i < Inputs; ++i) lanes(out + i * columns) = sums[i];
}

// Matrix (depth x columns) += the products of the inputs (rows x depth, `stride` apart) and slopes (rows x columns).
KIEBITZ_CLONES void add_products(const float* in, std::size_t stride, std::size_t rows, std::size_t depth,
                                 const float* slopes, std::size_t columns, float* matrix) {
  constexpr std::size_t kInputs = 8;
  for (std::size_t c = 0; c < columns; c += kLanes) {
    std::size_t i = 0;
    for (; i + kInputs <= depth; i += kInputs) {
      add_products_of<kInputs>(in + i, stride, rows, slopes + c, columns, matrix + i * columns + c);
    }
    for (; i < depth; ++i) add_products_of<1>(in + i, stride, rows, slopes + c, columns, matrix + i * columns + c);
  }
}

// The weights of a layer (inputs x columns) turned round: outputs x wide.
KIEBITZ_CLONES void turn(const float* weights, std::size_t inputs, std::size_t outputs, std::size_t columns,
                         std::size_t wide, float* turned) {
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) turned[o * wide + i] = weights[i * columns + o];
    for (std::size_t i = inputs; i < wide; ++i) turned[o * wide + i] = 0;
  }
}

// slopes = those of the next layer where something was said, else 0.
KIEBITZ_CLONES void pass(float* said, const float* slopes, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) said[n] = said[n] > 0 ? slopes[n] : 0;
}

// sums (columns) += all rows.
KIEBITZ_CLONES void add_up(const float* numbers, std::size_t rows, std::size_t columns, float* sums) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) sums[c] += numbers[r * columns + c];
  }
}

// values += by * steps, and steps = 0.
KIEBITZ_CLONES void move(float* values, float* steps, float by, std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    values[n] += by * steps[n];
    steps[n] = 0;
  }
}

constexpr float kMemory = 0.9F, kSquareMemory = 0.999F;  // the usual ones
constexpr float kLeast = 1e-7F;                          // keeps steps finite where gradients vanish

// A step of Adam, and steps = 0; `by` and `square_by` make up for averages that began at 0.
KIEBITZ_CLONES void adapt(float* values, float* steps, float* mean, float* square, float by, float square_by,
                          std::size_t count) {
  for (std::size_t n = 0; n < count; ++n) {
    mean[n] = kMemory * mean[n] + (1 - kMemory) * steps[n];
    square[n] = kSquareMemory * square[n] + (1 - kSquareMemory) * steps[n] * steps[n];
    values[n] += by * mean[n] / (std::sqrt(square_by * square[n]) + kLeast);
    steps[n] = 0;
  }
}

}  // namespace

void SeatNets::Sparse::read(const float* row, std::size_t size) {
  count = 0;
  for (std::size_t n = 0; n < size; ++n) {
    places[count] = n;
    numbers[count] = row[n];
    count += row[n] != 0;
  }
}

SeatNets::SeatNets(std::vector<std::size_t> sizes, std::size_t seats, bool relu_output, bool adam)
    : sizes_(std::move(sizes)), seats_(seats), adam_(adam) {
  std::size_t widest = 0, largest = 0;
  for (std::size_t n = 0; n + 1 < sizes_.size(); ++n) {
    Layer layer;
    layer.inputs = sizes_[n];
    layer.outputs = sizes_[n + 1];
    layer.columns = padded(layer.outputs);
    layer.relu = relu_output || n + 2 < sizes_.size();
    layer.weights.resize(seats_ * layer.inputs * layer.columns);
    layer.bias.resize(seats_ * layer.columns);
    layer.moved.resize(layer.inputs * layer.columns);
    layer.unbiased.resize(layer.columns);
    if (adam_) {
      layer.mean.resize(layer.weights.size());
      layer.square.resize(layer.weights.size());
      layer.mean_bias.resize(layer.bias.size());
      layer.square_bias.resize(layer.bias.size());
    }
    widest = std::max(widest, padded(layer.inputs));
    largest = std::max(largest, layer.outputs * padded(layer.inputs));
    layers_.push_back(std::move(layer));
  }
  zeros_.resize(widest);
  turned_.resize(largest);
  at_.resize(layers_.size());
  sparse_.places.resize(inputs() + 1);
  sparse_.numbers.resize(inputs() + 1);
}

void SeatNets::run(std::size_t seat, const float* in, std::size_t rows, const std::vector<float*>& said) {
  for (std::size_t number = 0; number < layers_.size(); ++number) {
    const Layer& layer = layers_[number];
    const float* const weights = layer.weights_of(seat);
    if (number > 0) {
      multiply(said[number - 1], layers_[number - 1].columns, rows, layer.inputs, weights, layer.bias_of(seat), nullptr,
               layer.relu, layer.columns, said[number]);
      continue;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      sparse_.read(in + row * inputs(), inputs());
      add_rows(sparse_.places.data(), sparse_.numbers.data(), sparse_.count, weights, layer.columns,
               layer.bias_of(seat), layer.relu, said[0] + row * layer.columns);
    }
  }
}

void SeatNets::outputs(const float* in, std::size_t rows, float* out) {
  rows_ = rows;
  in_.assign(in, in + seats_ * rows * inputs());
  for (Layer& layer : layers_) layer.said.resize(seats_ * rows * layer.columns);
  const Layer& last = layers_.back();
  for (std::size_t seat = 0; seat < seats_; ++seat) {
    for (std::size_t n = 0; n < layers_.size(); ++n) at_[n] = layers_[n].said.data() + seat * rows * layers_[n].columns;
    run(seat, in + seat * rows * inputs(), rows, at_);
    for (std::size_t row = 0; row < rows; ++row) {
      std::copy_n(at_.back() + row * last.columns, outputs(), out + (seat * rows + row) * outputs());
    }
  }
}

void SeatNets::say(const float* in, const std::int64_t* seats, std::size_t rows, float* out) {
  std::size_t size = 0;
  for (const Layer& layer : layers_) size += layer.columns;
  aside_.resize(size);
  for (std::size_t n = 0, at = 0; n < layers_.size(); at += layers_[n++].columns) at_[n] = aside_.data() + at;
  for (std::size_t row = 0; row < rows; ++row) {
    run(static_cast<std::size_t>(seats[row]), in + row * inputs(), 1, at_);
    std::copy_n(at_.back(), outputs(), out + row * outputs());
  }
}

void SeatNets::descend(const float* slopes, float rate) {
  ++steps_;
  const auto left = [this](float memory) { return 1 / (1 - std::pow(static_cast<double>(memory), steps_)); };
  const float by = -rate * static_cast<float>(adam_ ? left(kMemory) : 1);
  const float square_by = static_cast<float>(adam_ ? left(kSquareMemory) : 1);
  Layer& last = layers_.back();
  slopes_.assign(rows_ * last.columns, 0.0F);
  for (std::size_t seat = 0; seat < seats_; ++seat) {
    for (std::size_t row = 0; row < rows_; ++row) {
      std::copy_n(slopes + (seat * rows_ + row) * outputs(), outputs(), slopes_.data() + row * last.columns);
    }
    float* slope = slopes_.data();
    if (last.relu) {
      float* const said = last.said.data() + seat * rows_ * last.columns;
      pass(said, slope, rows_ * last.columns);
      slope = said;
    }
    for (std::size_t number = layers_.size(); number-- > 0;) {
      Layer& layer = layers_[number];
      float* const weights = layer.weights.data() + seat * layer.inputs * layer.columns;
      add_up(slope, rows_, layer.columns, layer.unbiased.data());
      if (number == 0) {
        for (std::size_t row = 0; row < rows_; ++row) {
          sparse_.read(in_.data() + (seat * rows_ + row) * inputs(), inputs());
          add_outer(sparse_.places.data(), sparse_.numbers.data(), sparse_.count, slope + row * layer.columns,
                    layer.columns, layer.moved.data());
        }
      } else {
        // What the layer below said becomes the slope by it.
        Layer& below = layers_[number - 1];
        float* const said = below.said.data() + seat * rows_ * below.columns;
        add_products(said, below.columns, rows_, layer.inputs, slope, layer.columns, layer.moved.data());
        turn(weights, layer.inputs, layer.outputs, layer.columns, below.columns, turned_.data());
        below_.resize(rows_ * below.columns);
        multiply(slope, layer.columns, rows_, layer.outputs, turned_.data(), zeros_.data(), nullptr, false,
                 below.columns, below_.data());
        pass(said, below_.data(), rows_ * below.columns);
        slope = said;
      }
      const std::size_t size = layer.inputs * layer.columns, first = seat * size, first_bias = seat * layer.columns;
      float* const bias = layer.bias.data() + first_bias;
      if (adam_) {
        adapt(weights, layer.moved.data(), layer.mean.data() + first, layer.square.data() + first, by, square_by, size);
        adapt(bias, layer.unbiased.data(), layer.mean_bias.data() + first_bias, layer.square_bias.data() + first_bias,
              by, square_by, layer.columns);
      } else {
        move(weights, layer.moved.data(), by, size);
        move(bias, layer.unbiased.data(), by, layer.columns);
      }
    }
  }
  rows_ = 0;  // what the layers said is gone
}

}  // namespace kiebitz::nets
