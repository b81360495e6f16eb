// Nets of the core, their cache, and evaluators by seat: what they compute, row by row. Against layers written down
// plainly; the sanitizers see every shape of tile here.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "base/rng.hpp"
#include "nets/cache.hpp"
#include "nets/multiply.hpp"
#include "nets/net.hpp"
#include "nets/seated.hpp"

using namespace kiebitz;
using namespace kiebitz::nets;

namespace {

float number(Rng& rng) { return static_cast<float>(rng.unit() * 2 - 1); }

std::vector<float> numbers(Rng& rng, std::size_t count) {
  std::vector<float> out(count);
  for (float& x : out) x = number(rng);
  return out;
}

GameInfo board_game() {
  GameInfo info;
  info.name = "board";
  info.players = 2;
  info.actions = 5;
  info.tensor_size = 2 * 3 * 4;
  return info;
}

// Two planes of 3 x 4 fields: a convolution, a residual, dense heads.
NetSpec board_net(Rng& rng) {
  NetSpec spec;
  spec.game = "board";
  spec.tensor_size = 24;
  spec.actions = 5;
  spec.players = 2;
  spec.planes = 2;
  spec.rows = 3;
  spec.columns = 4;
  spec.trunk.push_back({"conv", numbers(rng, 3 * 2 * 9), numbers(rng, 3), {}, {}, true});
  spec.trunk.push_back(
      {"residual", numbers(rng, 7 * 3 * 9), numbers(rng, 7), numbers(rng, 3 * 7 * 9), numbers(rng, 3), true});
  spec.policy.push_back({"dense", numbers(rng, 5 * 36), numbers(rng, 5), {}, {}, false});
  spec.value.push_back({"dense", numbers(rng, 36), numbers(rng, 1), {}, {}, false});
  return spec;
}

using Plain = std::vector<double>;  // channel by channel

Plain convolve(const Plain& in, const std::vector<float>& weights, const std::vector<float>& bias) {
  const std::size_t channels = in.size() / 12;
  Plain out(bias.size() * 12);
  for (std::size_t o = 0; o < bias.size(); ++o) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) {
        double sum = bias[o];
        for (std::size_t c = 0; c < channels; ++c) {
          for (int t = 0; t < 9; ++t) {
            const int ny = y + t / 3 - 1;
            const int nx = x + t % 3 - 1;
            if (ny < 0 || ny > 2 || nx < 0 || nx > 3) continue;
            sum += weights[(o * channels + c) * 9 + static_cast<std::size_t>(t)] *
                   in[c * 12 + static_cast<std::size_t>(4 * ny + nx)];
          }
        }
        out[o * 12 + static_cast<std::size_t>(4 * y + x)] = sum;
      }
    }
  }
  return out;
}

Plain dense(const Plain& in, const std::vector<float>& weights, const std::vector<float>& bias) {
  Plain out;
  for (std::size_t o = 0; o < bias.size(); ++o) {
    double sum = bias[o];
    for (std::size_t i = 0; i < in.size(); ++i) sum += weights[o * in.size() + i] * in[i];
    out.push_back(sum);
  }
  return out;
}

Plain positive(Plain numbers) {
  for (double& x : numbers) x = std::max(x, 0.0);
  return numbers;
}

Positions some_positions(const GameInfo& info, Rng& rng, std::size_t count) {
  Positions out(info);
  for (std::size_t row = 0; row < count; ++row) {
    out.add(static_cast<int>(row % 2));
    for (std::size_t i = 0; i < out.tensor_size; ++i) out.tensor(row)[i] = number(rng);
    std::fill_n(out.allowed(row), out.actions, std::uint8_t{1});
  }
  return out;
}

Judgements judged(const Evaluator& evaluator, const Positions& positions) {
  Judgements out;
  out.resize(positions);
  evaluator.judge(positions, out);
  return out;
}

}  // namespace

TEST_CASE("nets: a matrix product of any shape") {
  Rng rng(1);
  for (const std::size_t rows : {1, 5, 6, 7, 13}) {
    for (const std::size_t depth : {1, 3, 30}) {
      for (const std::size_t columns : {16, 48}) {
        const auto in = numbers(rng, rows * (depth + 2));
        const auto weights = numbers(rng, depth * columns);
        const auto bias = numbers(rng, columns);
        const auto skip = numbers(rng, rows * columns);
        std::vector<float> out(rows * columns);
        multiply(in.data(), depth + 2, rows, depth, weights.data(), bias.data(), skip.data(), true, columns,
                 out.data());
        for (std::size_t r = 0; r < rows; ++r) {
          for (std::size_t c = 0; c < columns; ++c) {
            double sum = bias[c] + skip[r * columns + c];
            for (std::size_t k = 0; k < depth; ++k) sum += in[r * (depth + 2) + k] * weights[k * columns + c];
            CHECK(out[r * columns + c] == doctest::Approx(std::max(sum, 0.0)).epsilon(1e-5));
          }
        }
      }
    }
  }
}

TEST_CASE("nets: a board goes through its layers, whatever is judged beside it") {
  Rng rng(2);
  const GameInfo info = board_game();
  const NetSpec spec = board_net(rng);
  const Net net(spec);
  net.check(info);
  const Positions positions = some_positions(info, rng, 9);
  const Judgements all = judged(net, positions);
  for (std::size_t row = 0; row < positions.count; ++row) {
    const Plain input(positions.tensor(row), positions.tensor(row) + 24);
    const Plain first = positive(convolve(input, spec.trunk[0].weights, spec.trunk[0].bias));
    const auto& block = spec.trunk[1];
    Plain second = convolve(positive(convolve(first, block.weights, block.bias)), block.weights2, block.bias2);
    for (std::size_t i = 0; i < second.size(); ++i) second[i] = std::max(second[i] + first[i], 0.0);
    const Plain logits = dense(second, spec.policy[0].weights, spec.policy[0].bias);
    for (std::size_t a = 0; a < 5; ++a) CHECK(all.logits[row * 5 + a] == doctest::Approx(logits[a]).epsilon(1e-4));
    const double value = std::tanh(dense(second, spec.value[0].weights, spec.value[0].bias)[0]);
    CHECK(all.values[row * 2 + row % 2] == doctest::Approx(value).epsilon(1e-4));
    CHECK(all.values[row * 2] == -all.values[row * 2 + 1]);

    Positions alone(info);
    alone.copy(positions, row);
    const Judgements one = judged(net, alone);
    for (std::size_t a = 0; a < 5; ++a) CHECK(one.logits[a] == all.logits[row * 5 + a]);
  }
}

TEST_CASE("nets: a cache and evaluators by seat give what those inside give") {
  Rng rng(3);
  const GameInfo info = board_game();
  const auto net = std::make_shared<Net>(board_net(rng));
  const auto other = std::make_shared<Net>(board_net(rng));
  const Positions positions = some_positions(info, rng, 20);
  const Cache cache(net, 1 << 16);
  for (int times = 0; times < 2; ++times) {
    CHECK(judged(cache, positions).logits == judged(*net, positions).logits);
    CHECK(judged(cache, positions).values == judged(*net, positions).values);
  }
  CHECK(cache.misses() >= 20);
  CHECK(cache.hits() >= 40);
  const Seated seated({net, other});
  seated.check(info);
  const Judgements both = judged(seated, positions);
  const Judgements each[] = {judged(*net, positions), judged(*other, positions)};
  for (std::size_t row = 0; row < positions.count; ++row) {
    for (std::size_t a = 0; a < 5; ++a) CHECK(both.logits[row * 5 + a] == each[row % 2].logits[row * 5 + a]);
  }
}

TEST_CASE("nets: layers that do not fit are refused") {
  Rng rng(4);
  const auto refused = [&](auto change) {
    NetSpec spec = board_net(rng);
    change(spec);
    CHECK_THROWS_AS(Net(std::move(spec)), ParameterError);
  };
  refused([](NetSpec& s) { s.trunk[0].weights.pop_back(); });
  refused([](NetSpec& s) { s.trunk[1].bias2.push_back(0); });
  refused([](NetSpec& s) { s.policy[0].bias.pop_back(); });
  refused([](NetSpec& s) { s.rows = 5; });
  refused([](NetSpec& s) { s.trunk[0].bias[0] = NAN; });
  refused([](NetSpec& s) { std::swap(s.trunk[0], s.trunk[1]); });
}
