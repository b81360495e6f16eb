// Nets of the core, their cache, and evaluators by seat: what they compute, row by row. Against layers written down
// plainly; the sanitizers see every shape of tile here.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
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

// Five numbers in tenths, from 0 to 3 of them.
constexpr int kCounted = 5;
constexpr int kKinds = 4;

GameInfo count_game() {
  GameInfo info;
  info.name = "counts";
  info.players = 2;
  info.actions = 3;
  info.tensor_size = kCounted;
  return info;
}

NetSpec count_net(Rng& rng, int width) {
  const auto out = static_cast<std::size_t>(width);
  NetSpec spec;
  spec.tensor_size = kCounted;
  spec.actions = 3;
  spec.players = 2;
  spec.trunk.push_back({"counts", numbers(rng, out * kCounted * kKinds), numbers(rng, out), {}, {}, true, 10});
  spec.policy.push_back({"dense", numbers(rng, 3 * out), numbers(rng, 3), {}, {}, false});
  spec.value.push_back({"dense", numbers(rng, out), numbers(rng, 1), {}, {}, false});
  return spec;
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

TEST_CASE("nets: a sum of rows of any width") {
  Rng rng(5);
  for (const std::size_t columns : {16, 48, 64, 80, 208}) {
    for (const std::size_t count : {0, 1, 7}) {
      const auto matrix = numbers(rng, 9 * columns);
      const auto start = numbers(rng, columns);
      const auto factors = numbers(rng, count);
      std::vector<std::size_t> places(count);
      for (auto& place : places) place = rng.below(9);
      for (const bool relu : {false, true}) {
        std::vector<float> out(columns);
        add_rows(places.data(), factors.data(), count, matrix.data(), columns, start.data(), relu, out.data());
        for (std::size_t c = 0; c < columns; ++c) {
          double sum = start[c];
          for (std::size_t n = 0; n < count; ++n) sum += factors[n] * matrix[places[n] * columns + c];
          CHECK(out[c] == doctest::Approx(relu ? std::max(sum, 0.0) : sum).epsilon(1e-5));
        }
      }
    }
  }
}

TEST_CASE("nets: counts are a dense layer over a one for each count") {
  Rng rng(6);
  const GameInfo info = count_game();
  for (const int width : {3, 16, 70}) {
    const NetSpec spec = count_net(rng, width);
    NetSpec plain = spec;
    plain.tensor_size = kCounted * kKinds;
    plain.trunk[0].kind = "dense";
    GameInfo ones = info;
    ones.tensor_size = plain.tensor_size;
    Positions given(info);
    Positions spread(ones);
    for (int row = 0; row < 11; ++row) {
      given.add(row % 2);
      spread.add(row % 2);
      for (int i = 0; i < kCounted; ++i) {
        const int count = static_cast<int>(rng.below(kKinds));
        given.tensor(static_cast<std::size_t>(row))[i] = static_cast<float>(count) / 10;
        for (int k = 0; k < kKinds; ++k) {
          spread.tensor(static_cast<std::size_t>(row))[i * kKinds + k] = k == count ? 1.0F : 0.0F;
        }
      }
    }
    const Judgements one = judged(Net(spec), given);
    const Judgements other = judged(Net(plain), spread);
    for (std::size_t n = 0; n < one.logits.size(); ++n) {
      CHECK(one.logits[n] == doctest::Approx(other.logits[n]).epsilon(1e-4));
    }
    for (std::size_t n = 0; n < one.values.size(); ++n) {
      CHECK(one.values[n] == doctest::Approx(other.values[n]).epsilon(1e-4));
    }
  }
}

TEST_CASE("nets: numbers that are no counts are taken for the nearest one") {
  Rng rng(7);
  const GameInfo info = count_game();
  const Net net(count_net(rng, 20));
  const float inf = std::numeric_limits<float>::infinity();
  // As tenths: what is given, and what it is taken for.
  const std::vector<std::pair<float, float>> pairs = {
      {0.04F, 0.0F}, {0.06F, 0.1F},  {0.31F, 0.3F}, {0.4F, 0.3F}, {99.0F, 0.3F}, {1e38F, 0.3F},
      {inf, 0.3F},   {-0.04F, 0.0F}, {-5.0F, 0.0F}, {-inf, 0.0F}, {NAN, 0.0F},
  };
  for (const auto& [number, nearest] : pairs) {
    Positions given(info);
    Positions expected(info);
    given.add(0);
    expected.add(0);
    for (int i = 0; i < kCounted; ++i) {
      given.tensor(0)[i] = i == 2 ? number : 0.2F;
      expected.tensor(0)[i] = i == 2 ? nearest : 0.2F;
    }
    CHECK(judged(net, given).logits == judged(net, expected).logits);
  }
}

TEST_CASE("nets: counts of what another layer gives") {
  Rng rng(8);
  GameInfo info = count_game();
  NetSpec spec = count_net(rng, 6);
  // Halves of the numbers, each of them added to the next; then rounded.
  std::vector<float> weights(kCounted * kCounted);
  for (std::size_t i = 0; i < kCounted; ++i) weights[i * kCounted + i] = weights[i * kCounted + (i + 1) % kCounted] = 5;
  NetSpec deep = spec;
  deep.trunk.insert(deep.trunk.begin(), {"dense", weights, std::vector<float>(kCounted), {}, {}, false});
  deep.trunk[1].scale = 1;
  Positions given(info);
  Positions summed(info);
  for (int row = 0; row < 3; ++row) {
    given.add(0);
    summed.add(0);
    const auto r = static_cast<std::size_t>(row);
    for (int i = 0; i < kCounted; ++i) given.tensor(r)[i] = static_cast<float>(2 * rng.below(2)) / 10;
    for (int i = 0; i < kCounted; ++i) {
      summed.tensor(r)[i] = (given.tensor(r)[i] + given.tensor(r)[(i + 1) % kCounted]) / 2;
    }
  }
  CHECK(judged(Net(deep), given).logits == judged(Net(spec), summed).logits);
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
  const auto counts_refused = [&](auto change) {
    NetSpec spec = count_net(rng, 6);
    change(spec);
    CHECK_THROWS_AS(Net(std::move(spec)), ParameterError);
  };
  counts_refused([](NetSpec& s) { s.trunk[0].scale = 0; });
  counts_refused([](NetSpec& s) { s.trunk[0].scale = -1; });
  counts_refused([](NetSpec& s) { s.trunk[0].scale = NAN; });
  counts_refused([](NetSpec& s) { s.trunk[0].scale = INFINITY; });
  counts_refused([](NetSpec& s) { s.trunk[0].weights.pop_back(); });
  counts_refused([](NetSpec& s) { s.trunk[0].weights.clear(); });
  counts_refused([](NetSpec& s) { s.trunk[0].weights[0] = NAN; });
  counts_refused([](NetSpec& s) { s.trunk[0].bias.clear(); });
  counts_refused([](NetSpec& s) { s.trunk[0].kind = "count"; });
  refused([&](NetSpec& s) { s.trunk[0] = {"counts", numbers(rng, 24 * 2), numbers(rng, 1), {}, {}, true}; });
}
