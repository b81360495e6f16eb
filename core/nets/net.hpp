// A network that the core computes itself: dense layers and 3 x 3 convolutions over a board, a common trunk and two
// heads. Small nets run here several times as fast as through a framework, because a search calls them with batches of
// a few dozen positions and nothing is allocated on the way.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "nets/evaluator.hpp"

namespace kiebitz::nets {

// A layer as it was trained, weights in the order of the usual frameworks.
struct LayerSpec {
  // dense, conv, residual (two convolutions around which the input is added) or counts (dense after each number was
  // replaced by as many zeros and ones as there are counts, with a one at number * scale)
  std::string kind;
  std::vector<float> weights;   // dense: out x in; conv: out x in x 3 x 3; counts: out x in x counts
  std::vector<float> bias;      // out
  std::vector<float> weights2;  // of the second convolution of a residual
  std::vector<float> bias2;
  bool relu = false;
  float scale = 1;
};

struct NetSpec {
  std::string game;  // by name; "": any of these sizes
  int tensor_size = 0;
  int actions = 0;
  int players = 0;
  int planes = 0;  // convolutions: the tensor begins with so many planes of rows x columns
  int rows = 0;
  int columns = 0;
  std::vector<LayerSpec> trunk;
  std::vector<LayerSpec> policy;  // ends with a number per action; empty: no preferences
  // Ends with one number (of the player to move, in a game of two whose payoffs have a constant sum) or with one per
  // player, the player to move first; empty: all values are the middle of the range.
  std::vector<LayerSpec> value;
  // Payoffs are tanh(value) stretched to this range.
  double low = -1;
  double high = 1;
};

class Net final : public Evaluator {
 public:
  // Throws ParameterError for layers that do not fit together.
  explicit Net(NetSpec spec);
  ~Net() override;
  Net(const Net&) = delete;
  Net& operator=(const Net&) = delete;

  void judge(const Positions& positions, Judgements& out) const override;
  void check(const GameInfo& info) const override;
  bool has_policy() const override { return !spec_.policy.empty(); }
  bool has_values() const override { return !spec_.value.empty(); }
  const NetSpec& spec() const { return spec_; }

 private:
  struct Layer;
  struct Shape;
  struct Scratch;
  std::vector<Layer> prepare(std::vector<LayerSpec>& layers, Shape& shape, const char* part) const;
  void look_up(const Layer& layer, const float* in, std::size_t stride, std::size_t rows, Scratch& scratch,
               float* out) const;
  const float* run(const std::vector<Layer>& layers, const float* in, std::size_t stride, std::size_t rows,
                   Scratch& scratch) const;

  NetSpec spec_;
  std::vector<Layer> trunk_;
  std::vector<Layer> policy_;
  std::vector<Layer> value_;
};

}  // namespace kiebitz::nets
