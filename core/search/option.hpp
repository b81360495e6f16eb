// How an option of a search is described: once, beside the struct that holds its value. The search checks its options
// against the description, the binding reads keywords through it and hands it to Python, where the options of agents,
// the documentation and the bounds of a server come from it.
//
// A struct of options has a name and one function that visits every option with its description:
//
//   struct UctOptions {
//     static constexpr const char* kName = "uct";
//     int tree_depth = 0;
//
//     template <class Self, class Visit>
//     static void describe(Self& o, Visit&& option) {
//       option(o.tree_depth, {.name = "tree_depth", .help = "actions kept in the tree", .high = 1e6});
//     }
//   };
#pragma once

#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <type_traits>

#include "base/error.hpp"
#include "base/named_enum.hpp"

namespace kiebitz::search {

// What an option changes: the move; only the speed at which it is found; or, once set, the move depends on the clock or
// on earlier searches.
KIEBITZ_NAMED_ENUM(Effect, move, speed, impure)

struct OptionInfo {
  const char* name;
  const char* help;
  // Numbers only: the smallest and the largest value.
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  // The largest value that a stranger may ask for at a server's table. A switch with 0 stays off there.
  double most = std::numeric_limits<double>::infinity();
  Effect effect = Effect::move;
  bool budget = false;   // 0 in the struct means that it was not given; what is out of range is a BudgetError
  bool in_specs = true;  // false: agents and programs set it, people do not
  int choices = 0;       // enums only: how many of the names are allowed; 0: all
};

inline std::string shown(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

[[noreturn]] inline void out_of_range(const OptionInfo& info, const std::string& got) {
  const std::string text =
      std::string(info.name) + ": expected " + shown(info.low) + " to " + shown(info.high) + ", got " + got;
  if (info.budget) throw BudgetError(text);
  throw ParameterError(text);
}

// Refuses numbers out of range, and what is not a number.
template <class Number>
void check_range(const OptionInfo& info, Number value) {
  const auto x = static_cast<double>(value);
  if (!(x >= info.low && x <= info.high)) {
    out_of_range(info, std::is_integral_v<Number> ? std::to_string(value) : shown(x));
  }
}

template <class Value>
void check_option(const OptionInfo& info, const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    enum_of<Value>(info.name, enum_name(value), static_cast<std::size_t>(info.choices));
  } else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
    if (!(info.budget && value == 0)) check_range(info, value);
  }
}

// Refuses options that are out of range. Throws BudgetError or ParameterError.
template <class Options>
void check_options(const Options& options) {
  Options::describe(options, [](const auto& value, const OptionInfo& info) { check_option(info, value); });
}

}  // namespace kiebitz::search
