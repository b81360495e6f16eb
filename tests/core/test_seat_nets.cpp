// Small nets that learn: what they say and how they move, against plain loops in double precision.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "nets/seat_nets.hpp"

using kiebitz::nets::SeatNets;

namespace {

using Numbers = std::vector<double>;

// The outputs of one row of one seat.
Numbers plainly(SeatNets& nets, std::size_t seat, Numbers row) {
  for (SeatNets::Layer& layer : nets.layers()) {
    Numbers next(layer.outputs);
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      next[o] = layer.bias[seat * layer.columns + o];
      for (std::size_t i = 0; i < layer.inputs; ++i) {
        next[o] += row[i] * layer.weights[(seat * layer.inputs + i) * layer.columns + o];
      }
      if (layer.relu) next[o] = std::max(next[o], 0.0);
    }
    row = next;
  }
  return row;
}

struct Case {
  SeatNets nets;
  std::size_t rows;
  std::vector<float> in, slopes;

  // Half of the inputs are zero, as with one-hot ones.
  Case(const std::vector<std::size_t>& sizes, std::size_t seats, std::size_t many, bool relu_output)
      : nets(sizes, seats, relu_output), rows(many) {
    std::mt19937 rng(static_cast<unsigned>(sizes.front() * 100 + many));
    std::normal_distribution<float> normal(0, 0.5F);
    for (SeatNets::Layer& layer : nets.layers()) {
      for (std::size_t n = 0; n < seats * layer.inputs; ++n) {
        for (std::size_t o = 0; o < layer.outputs; ++o) layer.weights[n * layer.columns + o] = normal(rng);
      }
      for (std::size_t seat = 0; seat < seats; ++seat) {
        for (std::size_t o = 0; o < layer.outputs; ++o) layer.bias[seat * layer.columns + o] = normal(rng);
      }
    }
    for (std::size_t n = 0; n < seats * rows * sizes.front(); ++n) in.push_back(rng() % 2 == 0 ? 0 : normal(rng));
    for (std::size_t n = 0; n < seats * rows * sizes.back(); ++n) slopes.push_back(normal(rng));
  }

  Numbers said(std::size_t seat, std::size_t row) {
    const std::size_t size = nets.inputs();
    const float* from = in.data() + (seat * rows + row) * size;
    return plainly(nets, seat, Numbers(from, from + size));
  }

  // What the slopes stand for: the sum of outputs times slopes, of one seat.
  double loss(std::size_t seat) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const Numbers out = said(seat, row);
      for (std::size_t o = 0; o < out.size(); ++o) sum += out[o] * slopes[(seat * rows + row) * out.size() + o];
    }
    return sum;
  }
};

const std::vector<std::vector<std::size_t>> kShapes = {{3, 2}, {30, 64, 3}, {5, 17, 33, 4}, {70, 130, 1}};

}  // namespace

TEST_CASE("Nets of seats say what plain loops say") {
  for (const auto& sizes : kShapes) {
    for (const bool relu : {false, true}) {
      Case c(sizes, 3, 5, relu);
      std::vector<float> out(3 * 5 * sizes.back());
      c.nets.outputs(c.in.data(), 5, out.data());
      for (std::size_t seat = 0; seat < 3; ++seat) {
        for (std::size_t row = 0; row < 5; ++row) {
          const Numbers expected = c.said(seat, row);
          for (std::size_t o = 0; o < sizes.back(); ++o) {
            CHECK(out[(seat * 5 + row) * sizes.back() + o] == doctest::Approx(expected[o]).epsilon(1e-4));
          }
        }
      }
    }
  }
}

TEST_CASE("A step goes down the slope of every weight, by finite differences") {
  for (const auto& sizes : kShapes) {
    for (const bool relu : {false, true}) {
      Case c(sizes, 2, 4, relu);
      Case moved = c;
      std::vector<float> out(2 * 4 * sizes.back());
      moved.nets.outputs(c.in.data(), 4, out.data());
      moved.nets.descend(c.slopes.data(), 1.0F);
      const auto check = [&](std::vector<float>& weights, const std::vector<float>& after, std::size_t at,
                             std::size_t seat) {
        const float kept = weights[at], step = 1e-3F;
        weights[at] = kept + step;
        const double up = c.loss(seat), wide = static_cast<double>(weights[at]);
        weights[at] = kept - step;
        const double down = c.loss(seat), width = wide - static_cast<double>(weights[at]);
        weights[at] = kept;
        const double slope = (up - down) / width;
        // A neuron that wakes up within the step bends the line: those few are left out.
        const double bent = up + down - 2 * c.loss(seat);
        if (std::abs(bent) > 1e-7) return;
        CHECK(static_cast<double>(kept - after[at]) == doctest::Approx(slope).epsilon(2e-3).scale(1.0));
      };
      for (std::size_t n = 0; n < c.nets.layers().size(); ++n) {
        SeatNets::Layer& layer = c.nets.layers()[n];
        const SeatNets::Layer& after = moved.nets.layers()[n];
        for (std::size_t seat = 0; seat < 2; ++seat) {
          for (std::size_t k = 0; k < layer.inputs * layer.outputs; k += 7) {
            const std::size_t i = k / layer.outputs, o = k % layer.outputs;
            check(layer.weights, after.weights, (seat * layer.inputs + i) * layer.columns + o, seat);
          }
          for (std::size_t o = 0; o < layer.outputs; ++o) check(layer.bias, after.bias, seat * layer.columns + o, seat);
        }
      }
    }
  }
}

TEST_CASE("Padding never moves") {
  Case c({30, 17, 3}, 2, 8, false);
  std::vector<float> out(2 * 8 * 3);
  for (int n = 0; n < 3; ++n) {
    c.nets.outputs(c.in.data(), 8, out.data());
    c.nets.descend(c.slopes.data(), 0.1F);
  }
  for (SeatNets::Layer& layer : c.nets.layers()) {
    for (std::size_t row = 0; row < 2 * layer.inputs; ++row) {
      for (std::size_t o = layer.outputs; o < layer.columns; ++o) CHECK(layer.weights[row * layer.columns + o] == 0);
    }
  }
}
