// The words every layer shares: actions, players, outcomes, payoffs, plain values.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kiebitz {

using Action = std::int32_t;

// What State::player() says when nobody decides.
inline constexpr int kChance = -1;
inline constexpr int kTerminal = -2;
// What View::player() says when another player decides and the observer may not know which.
inline constexpr int kSomebody = -3;

inline constexpr Action kNoAction = -1;
inline constexpr int kMaxPlayers = 10;

// One entry per player; only the first `players` entries mean anything.
using Payoffs = std::array<double, kMaxPlayers>;

struct Outcome {
  Action action;
  double probability;
};

using Nothing = std::monostate;
using Counts = std::vector<std::pair<std::string, std::int64_t>>;

// A plain value as it appears in rule parameters, positions, views and results. The alternatives are those of JSON
// that a game needs; the bindings turn them into Python objects and back. The last two appear in results only.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                           std::vector<std::string>, Nothing, Counts>;

// Ordered named values: rule parameters, a saved position, a saved view, a result.
using Fields = std::vector<std::pair<std::string, Value>>;

}  // namespace kiebitz
