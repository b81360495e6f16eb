#include "nets/net.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nets/multiply.hpp"

namespace kiebitz::nets {

// What flows between two layers: numbers, or a board with channels. Boards are stored field by field.
struct Net::Shape {
  std::size_t fields = 0;  // 0: plain numbers
  std::size_t width = 0;   // numbers, or channels of a field
  std::size_t stride = 0;  // of a row, or of a field: padded
};

struct Net::Layer {
  enum class Kind { dense, conv, residual, counts };
  struct Matrix {
    std::size_t depth = 0;
    std::size_t columns = 0;     // padded
    std::vector<float> weights;  // depth x columns
    std::vector<float> bias;
  };
  Kind kind = Kind::dense;
  bool relu = false;
  Matrix first;
  Matrix second;
  float scale = 1;
  std::size_t counts = 0;  // kinds of a number
};

// Room for one batch, kept by each thread.
struct Net::Scratch {
  std::vector<float> board;
  std::vector<float> trunk;
  std::vector<float> one;
  std::vector<float> other;
  std::vector<float> inside;
  std::vector<float> patches;
  std::vector<std::size_t> places;
  std::vector<float> ones;
};

namespace {

float* room(std::vector<float>& numbers, std::size_t size) {
  if (numbers.size() < size) numbers.resize(size);
  return numbers.data();
}

}  // namespace

Net::~Net() = default;

Net::Net(NetSpec spec) : spec_(std::move(spec)) {
  const auto positive = [](int n, const char* name) {
    if (n < 1) throw ParameterError(std::string("net: expected at least 1 for ") + name + ", got " + std::to_string(n));
  };
  positive(spec_.tensor_size, "tensor_size");
  positive(spec_.actions, "actions");
  positive(spec_.players, "players");
  if (!(spec_.low < spec_.high) || !std::isfinite(spec_.low) || !std::isfinite(spec_.high)) {
    throw ParameterError("net: expected a range of payoffs, low < high");
  }
  Shape shape;
  if (spec_.planes > 0) {
    positive(spec_.rows, "rows");
    positive(spec_.columns, "columns");
    shape.fields = static_cast<std::size_t>(spec_.rows) * static_cast<std::size_t>(spec_.columns);
    shape.width = static_cast<std::size_t>(spec_.planes);
    if (shape.fields * shape.width != static_cast<std::size_t>(spec_.tensor_size)) {
      throw ParameterError("net: expected planes x rows x columns = " + std::to_string(spec_.tensor_size));
    }
    shape.stride = shape.width;
  } else {
    shape.width = shape.stride = static_cast<std::size_t>(spec_.tensor_size);
  }
  trunk_ = prepare(spec_.trunk, shape, "trunk");
  const auto head = [&](std::vector<LayerSpec>& layers, std::vector<Layer>& out, const char* part,
                        std::initializer_list<int> sizes) {
    if (layers.empty()) return;
    Shape at = shape;
    out = prepare(layers, at, part);
    const bool fits = at.fields == 0 && std::ranges::find(sizes, static_cast<int>(at.width)) != sizes.end();
    if (!fits) {
      throw ParameterError(std::string("net: expected the ") + part + " to end with " + std::to_string(*sizes.begin()) +
                           " numbers");
    }
  };
  head(spec_.policy, policy_, "policy", {spec_.actions});
  if (spec_.players == 2) {
    head(spec_.value, value_, "value", {1, 2});
  } else {
    head(spec_.value, value_, "value", {spec_.players});
  }
}

std::vector<Net::Layer> Net::prepare(std::vector<LayerSpec>& layers, Shape& shape, const char* part) const {
  std::vector<Layer> out;
  const auto refuse = [&](std::size_t number, const std::string& words) {
    throw ParameterError(std::string("net: layer ") + std::to_string(number) + " of the " + part + ": " + words);
  };
  for (std::size_t n = 0; n < layers.size(); ++n) {
    LayerSpec& given = layers[n];
    Layer& layer = out.emplace_back();
    layer.relu = given.relu;
    const auto finite = [](float x) { return std::isfinite(x); };
    for (const auto* numbers : {&given.weights, &given.bias, &given.weights2, &given.bias2}) {
      if (!std::ranges::all_of(*numbers, finite)) refuse(n, "expected finite numbers");
    }
    // weights: out x (in x taps), to (taps x in) x padded out; with channels stored last.
    const auto matrix = [&](const std::vector<float>& weights, const std::vector<float>& bias, std::size_t in,
                            std::size_t taps, std::size_t in_stride) {
      const std::size_t columns = bias.size();
      if (columns == 0 || weights.size() != columns * in * taps) {
        refuse(n, "expected " + std::to_string(columns) + " x " + std::to_string(in * taps) + " weights, got " +
                      std::to_string(weights.size()));
      }
      Layer::Matrix m;
      m.depth = taps * in_stride;
      m.columns = padded(columns);
      m.weights.assign(m.depth * m.columns, 0.0F);
      m.bias.assign(m.columns, 0.0F);
      std::ranges::copy(bias, m.bias.begin());
      for (std::size_t o = 0; o < columns; ++o) {
        for (std::size_t i = 0; i < in; ++i) {
          for (std::size_t t = 0; t < taps; ++t) {
            m.weights[(t * in_stride + i) * m.columns + o] = weights[(o * in + i) * taps + t];
          }
        }
      }
      return m;
    };
    if (given.kind == "dense") {
      layer.kind = Layer::Kind::dense;
      // From a board: all fields of a channel side by side, as frameworks flatten it, which are the taps here.
      const std::size_t taps = shape.fields == 0 ? 1 : shape.fields;
      layer.first = matrix(given.weights, given.bias, shape.width, taps, shape.stride);
      shape = {0, given.bias.size(), layer.first.columns};
    } else if (given.kind == "conv" || given.kind == "residual") {
      if (shape.fields == 0) refuse(n, "expected a board in front of a convolution");
      layer.kind = given.kind == "conv" ? Layer::Kind::conv : Layer::Kind::residual;
      layer.first = matrix(given.weights, given.bias, shape.width, 9, shape.stride);
      if (layer.kind == Layer::Kind::residual) {
        if (given.bias2.size() != shape.width) refuse(n, "expected as many channels as in front of it");
        layer.second = matrix(given.weights2, given.bias2, given.bias.size(), 9, layer.first.columns);
        shape.stride = layer.second.columns;
        if (layer.first.depth != 9 * shape.stride) refuse(n, "expected a convolution in front of it");
      } else {
        shape = {shape.fields, given.bias.size(), layer.first.columns};
      }
    } else if (given.kind == "counts") {
      layer.kind = Layer::Kind::counts;
      const std::size_t each = shape.width * std::max<std::size_t>(given.bias.size(), 1);
      if (shape.fields != 0) refuse(n, "expected numbers in front of it, not a board");
      if (!(given.scale > 0) || !std::isfinite(given.scale)) refuse(n, "expected a scale above 0");
      if (given.weights.empty() || given.weights.size() % each != 0) {
        refuse(n, "expected a multiple of " + std::to_string(each) + " weights, got " +
                      std::to_string(given.weights.size()));
      }
      layer.scale = given.scale;
      layer.counts = given.weights.size() / each;
      layer.first = matrix(given.weights, given.bias, shape.width * layer.counts, 1, shape.width * layer.counts);
      shape = {0, given.bias.size(), layer.first.columns};
    } else {
      refuse(n, "expected dense, conv, residual or counts, got '" + excerpt(given.kind) + "'");
    }
    given.weights = {};  // from now on they are in `layer`
    given.weights2 = {};
  }
  return out;
}

void Net::check(const GameInfo& info) const {
  const bool fits = info.tensor_size == spec_.tensor_size && info.actions == spec_.actions &&
                    info.players == spec_.players && (spec_.game.empty() || spec_.game == info.name);
  if (!fits) {
    throw UnsuitableGame("this net was made for " + (spec_.game.empty() ? "another game" : spec_.game) + " (" +
                         std::to_string(spec_.tensor_size) + " numbers, " + std::to_string(spec_.actions) +
                         " actions, " + std::to_string(spec_.players) + " players), not for " + info.name + " (" +
                         std::to_string(info.tensor_size) + ", " + std::to_string(info.actions) + ", " +
                         std::to_string(info.players) + ")");
  }
  if (value_.empty()) return;
  const bool constant = info.utility == Utility::zero_sum || info.utility == Utility::constant_sum;
  if (spec_.value.back().bias.size() == 1 && spec_.players > 1 && !constant) {
    throw UnsuitableGame("this net values the player to move alone, and payoffs of " + info.name +
                         " have no constant sum");
  }
}

// One row of the matrix for each number of an input.
void Net::look_up(const Layer& layer, const float* in, std::size_t stride, std::size_t rows, Scratch& scratch,
                  float* out) const {
  const Layer::Matrix& m = layer.first;
  const std::size_t numbers = m.depth / layer.counts;
  scratch.places.resize(numbers);
  scratch.ones.assign(numbers, 1.0F);
  const auto most = static_cast<float>(layer.counts - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < numbers; ++i) {
      const float count = in[row * stride + i] * layer.scale + 0.5F;
      const std::size_t place = !(count > 0) ? 0 : static_cast<std::size_t>(std::min(count, most));
      scratch.places[i] = i * layer.counts + place;
    }
    add_rows(scratch.places.data(), scratch.ones.data(), numbers, m.weights.data(), m.columns, m.bias.data(),
             layer.relu, out + row * m.columns);
  }
}

// Runs layers on `rows` inputs and returns the result in scratch.one or scratch.other, or `in` if there are none.
const float* Net::run(const std::vector<Layer>& layers, const float* in, std::size_t stride, std::size_t rows,
                      Scratch& scratch) const {
  const auto height = static_cast<std::size_t>(spec_.rows);
  const auto width = static_cast<std::size_t>(spec_.columns);
  const std::size_t fields = height * width;
  const auto convolve = [&](const Layer::Matrix& m, const float* from, const float* skip, bool relu, float* to) {
    const std::size_t channels = m.depth / 9;
    float* patches = room(scratch.patches, fields * m.depth);
    for (std::size_t row = 0; row < rows; ++row) {
      const float* board = from + row * fields * channels;
      for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
          float* patch = patches + (y * width + x) * m.depth;
          for (std::size_t t = 0; t < 9; ++t, patch += channels) {
            const std::size_t ny = y + t / 3 - 1;  // wraps around to a large number outside
            const std::size_t nx = x + t % 3 - 1;
            if (ny < height && nx < width) {
              std::copy_n(board + (ny * width + nx) * channels, channels, patch);
            } else {
              std::fill_n(patch, channels, 0.0F);
            }
          }
        }
      }
      multiply(patches, m.depth, fields, m.depth, m.weights.data(), m.bias.data(),
               skip == nullptr ? nullptr : skip + row * fields * m.columns, relu, m.columns,
               to + row * fields * m.columns);
    }
  };
  std::vector<float>* next = &scratch.one;
  for (const Layer& layer : layers) {
    const bool plain = layer.kind == Layer::Kind::dense || layer.kind == Layer::Kind::counts;
    const std::size_t each = plain ? 1 : fields;
    const Layer::Matrix& last = layer.kind == Layer::Kind::residual ? layer.second : layer.first;
    float* out = room(*next, rows * each * last.columns);
    switch (layer.kind) {
      case Layer::Kind::dense:
        multiply(in, stride, rows, layer.first.depth, layer.first.weights.data(), layer.first.bias.data(), nullptr,
                 layer.relu, layer.first.columns, out);
        break;
      case Layer::Kind::counts:
        look_up(layer, in, stride, rows, scratch, out);
        break;
      case Layer::Kind::conv:
        convolve(layer.first, in, nullptr, layer.relu, out);
        break;
      case Layer::Kind::residual: {
        float* inside = room(scratch.inside, rows * fields * layer.first.columns);
        convolve(layer.first, in, nullptr, true, inside);
        convolve(layer.second, inside, in, layer.relu, out);
        break;
      }
    }
    in = out;
    stride = each * last.columns;
    next = next == &scratch.one ? &scratch.other : &scratch.one;
  }
  return in;
}

void Net::judge(const Positions& positions, Judgements& out) const {
  thread_local Scratch scratch;
  const std::size_t n = positions.count;
  const float* in = positions.tensors.data();
  std::size_t stride = positions.tensor_size;
  if (spec_.planes > 0) {
    // Planes to fields.
    const auto planes = static_cast<std::size_t>(spec_.planes);
    const std::size_t fields = positions.tensor_size / planes;
    float* board = room(scratch.board, n * positions.tensor_size);
    for (std::size_t row = 0; row < n; ++row) {
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t f = 0; f < fields; ++f) {
          board[row * positions.tensor_size + f * planes + p] = positions.tensor(row)[p * fields + f];
        }
      }
    }
    in = board;
  }
  const auto stride_after = [&](const std::vector<Layer>& layers, std::size_t before) {
    if (layers.empty()) return before;
    const Layer& last = layers.back();
    if (last.kind == Layer::Kind::dense || last.kind == Layer::Kind::counts) return last.first.columns;
    const auto fields = static_cast<std::size_t>(spec_.rows) * static_cast<std::size_t>(spec_.columns);
    return fields * (last.kind == Layer::Kind::residual ? last.second : last.first).columns;
  };
  const float* trunk = run(trunk_, in, stride, n, scratch);
  stride = stride_after(trunk_, stride);
  // The heads reuse the memory of the trunk.
  float* common = room(scratch.trunk, n * stride);
  std::copy_n(trunk, n * stride, common);

  if (policy_.empty()) {
    std::fill_n(out.logits.begin(), n * positions.actions, 0.0F);
  } else {
    const float* logits = run(policy_, common, stride, n, scratch);
    const std::size_t columns = stride_after(policy_, stride);
    for (std::size_t row = 0; row < n; ++row) {
      std::copy_n(logits + row * columns, positions.actions, out.logits.data() + row * positions.actions);
    }
  }
  const double middle = (spec_.low + spec_.high) / 2;
  const double half = (spec_.high - spec_.low) / 2;
  if (value_.empty()) {
    std::fill_n(out.values.begin(), n * positions.players, static_cast<float>(middle));
    return;
  }
  const float* values = run(value_, common, stride, n, scratch);
  const std::size_t columns = stride_after(value_, stride);
  const std::size_t given = spec_.value.back().bias.size();
  for (std::size_t row = 0; row < n; ++row) {
    const auto mover = static_cast<std::size_t>(positions.movers[row]);
    for (std::size_t k = 0; k < positions.players; ++k) {
      const double raw = std::tanh(static_cast<double>(values[row * columns + (k < given ? k : 0)]));
      const double value = middle + half * (k < given ? raw : -raw);
      out.values[row * positions.players + (mover + k) % positions.players] = static_cast<float>(value);
    }
  }
}

}  // namespace kiebitz::nets
