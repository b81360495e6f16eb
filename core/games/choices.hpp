// What a person chooses from: the legal actions of a state, where those that differ by an amount only are one choice. A
// no-limit raise is one choice with a range, not twenty thousand.
#pragma once

#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "games/contract.hpp"

namespace kiebitz {

// A run of `count` actions: action, action + stride, ... with amounts low, low + step, ..., high.
struct Choice {
  ActionKind kind;
  Action action = 0;
  int count = 1;
  Action stride = 0;
  double low = 0;  // the amounts mean something only if the kind has a unit
  double high = 0;
  double step = 0;

  bool has_amount() const { return !kind.unit.empty(); }

  // Adds the next action if it continues the run.
  bool extend(Action next, double amount) {
    if (count == 1) {
      if (!(amount > low)) return false;
      stride = next - action;
      step = amount - low;
    } else if (next != action + count * stride || !same(amount, low + count * step)) {
      return false;
    }
    ++count;
    high = amount;
    return true;
  }

  std::vector<Action> actions() const {
    std::vector<Action> out;
    for (int place = 0; place < count; ++place) out.push_back(action + place * stride);
    return out;
  }

  // Throws IllegalAction for amounts outside the range or between two steps.
  Action action_for(double amount) const {
    if (!has_amount()) throw IllegalAction(kind.name + ": has no amount");
    if (amount >= low - slack(low) && amount <= high + slack(high)) {
      const auto place = count == 1 ? 0 : static_cast<int>(std::lround((amount - low) / step));
      if (same(amount, low + place * step)) return action + place * stride;
    }
    std::string expected = number(low);
    if (count > 1) expected += " to " + number(high) + " in steps of " + number(step);
    throw IllegalAction(kind.name + ": expected " + expected + " " + kind.unit + ", got " + number(amount));
  }

 private:
  static double slack(double amount) { return 1e-9 * std::max(1.0, std::abs(amount)); }
  static bool same(double a, double b) { return std::abs(a - b) <= slack(b); }
  static std::string number(double x) {
    char buffer[32];
    return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), x, std::chars_format::general, 15).ptr};
  }
};

// The choices in the order of their first actions.
template <StateLike S>
std::vector<Choice> choices_of(const S& state, const GameInfo& info, const std::vector<Action>& legal) {
  std::vector<Choice> out;
  std::map<std::pair<int, int>, std::size_t> runs;  // the last run of each kind and target
  for (const Action a : legal) {
    const int kind = state.kind(a);
    Choice one{info.kinds[static_cast<std::size_t>(kind)], a};
    if constexpr (HasAmount<S>) {
      if (one.has_amount()) {
        one.low = one.high = state.amount(a);
        int target = 0;
        if constexpr (HasTarget<S>) target = state.target(a);
        const auto [run, fresh] = runs.try_emplace({kind, target}, out.size());
        if (!fresh) {
          if (out[run->second].extend(a, one.low)) continue;
          run->second = out.size();
        }
      }
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace kiebitz
