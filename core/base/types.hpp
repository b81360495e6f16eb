// The words every layer shares: actions, players, outcomes, payoffs, plain values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kiebitz {

using Action = std::int32_t;

// What State::player() says where no player decides.
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

struct Value;

// Ordered named values: rule parameters, a saved position, a saved view, an outline, a result.
using Fields = std::vector<std::pair<std::string, Value>>;

// A plain value as JSON has it; the bindings turn it into a Python object and back. A list of numbers or of texts is a
// vector of these, any other list a vector of values. Lists and fields may nest.
struct Value : std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                            std::vector<std::string>, Nothing, std::vector<Value>, Fields> {
  using variant::variant;
};

}  // namespace kiebitz
