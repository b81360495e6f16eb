// Random input for the fuzzer: rule parameters, trees, broken saved values, texts.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "bind/any.hpp"

namespace kiebitz::fuzz {

inline std::string random_text(Rng& rng) {
  std::string out;
  for (std::uint32_t n = rng.below(6); n > 0; --n)
    out += static_cast<char>(rng.below(8) == 0 ? rng.below(256) : 32 + rng.below(95));
  return out;
}

// --- Broken input
// -----------------------------------------------------------------------------------------------------

inline std::int64_t odd_number(std::int64_t near, Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return near == INT64_MAX ? near : near + 1;
    case 1:
      return near == INT64_MIN ? near : near - 1;
    case 2:
      return static_cast<std::int64_t>(rng.below(20)) - 4;
    case 3:
      return INT64_MAX;
    default:
      return INT64_MIN;
  }
}

inline Value broken(const Value& value, Rng& rng);

template <class T>
std::vector<T> broken_list(std::vector<T> list, Rng& rng) {
  if (list.empty() || rng.below(4) == 0) {
    list.push_back(list.empty() ? T{} : list[rng.below(static_cast<std::uint32_t>(list.size()))]);
    return list;
  }
  const auto at = rng.below(static_cast<std::uint32_t>(list.size()));
  if (rng.below(4) == 0) {
    list.erase(list.begin() + at);
  } else if (rng.below(3) == 0) {
    std::swap(list[at], list[rng.below(static_cast<std::uint32_t>(list.size()))]);
  } else {
    list[at] = std::get<T>(broken(Value(list[at]), rng));
  }
  return list;
}

Fields broken(Fields fields, Rng& rng);

// The value with a small change that mostly keeps its type.
inline Value broken(const Value& value, Rng& rng) {
  return std::visit(
      [&](const auto& v) -> Value {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return !v;
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return odd_number(v, rng);
        } else if constexpr (std::is_same_v<T, double>) {
          const double odd[] = {v + 1, -v, 0.5, 1e300, std::nan(""), -1e300 * 1e300};
          return odd[rng.below(6)];
        } else if constexpr (std::is_same_v<T, std::string>) {
          std::string text = v;
          if (text.empty() || rng.below(4) == 0) return text + random_text(rng);
          const auto at = rng.below(static_cast<std::uint32_t>(text.size()));
          if (rng.below(3) == 0) return text.erase(at, 1);
          // Most often a character of the text itself: what is nearly right finds more.
          text[at] = rng.below(3) == 0 ? static_cast<char>(rng.below(256))
                                       : text[rng.below(static_cast<std::uint32_t>(text.size()))];
          return text;
        } else if constexpr (std::is_same_v<T, Nothing>) {
          return std::vector<Value>{Value(Nothing{}), Value(Fields{{"a", true}})};
        } else if constexpr (std::is_same_v<T, Fields>) {
          return broken(v, rng);
        } else if constexpr (std::is_same_v<T, std::vector<Value>>) {
          std::vector<Value> list = v;
          if (list.empty()) return Nothing{};
          Value& one = list[rng.below(static_cast<std::uint32_t>(list.size()))];
          one = broken(one, rng);
          return list;
        } else {
          return broken_list(v, rng);
        }
      },
      value);
}

// Saved values with one to three changes, among them fields of the wrong type, missing and twice.
inline Fields broken(Fields fields, Rng& rng) {
  for (std::uint32_t changes = 1 + rng.below(3); changes > 0 && !fields.empty(); --changes) {
    const auto at = rng.below(static_cast<std::uint32_t>(fields.size()));
    switch (rng.below(12)) {
      case 0:
        fields.erase(fields.begin() + at);
        break;
      case 1:
        fields.push_back(fields[at]);
        break;
      case 2:
        fields[at].second = fields[rng.below(static_cast<std::uint32_t>(fields.size()))].second;
        break;
      default:
        fields[at].second = broken(fields[at].second, rng);
    }
  }
  return fields;
}

// --- Rules
// --------------------------------------------------------------------------------------------------------------

// A random value for a parameter, near the lower end of its range so that games stay short.
inline Value random_value(const Parameter& parameter, Rng& rng) {
  const auto number = [&] {
    const double high = std::min(parameter.high, std::ceil(parameter.low) + 5);
    return std::ceil(parameter.low) + rng.below(static_cast<std::uint32_t>(high - std::ceil(parameter.low)) + 1);
  };
  return std::visit(
      [&](const auto& initial) -> Value {
        using T = std::decay_t<decltype(initial)>;
        if constexpr (std::is_same_v<T, bool>) {
          return rng.below(2) == 0;
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          // A limit on the length of games keeps its order of magnitude.
          if (initial >= 100) return rng.below(2) == 0 ? initial : static_cast<std::int64_t>(1 + rng.below(200));
          return static_cast<std::int64_t>(number());
        } else if constexpr (std::is_same_v<T, double>) {
          return number();
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          T list(1 + rng.below(5));
          for (auto& n : list) n = static_cast<std::int64_t>(number());
          return list;
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          T list = initial;
          for (auto& n : list) n = number() / 2 + parameter.low;
          return list;
        } else if constexpr (std::is_same_v<T, std::string>) {
          if (parameter.choices.empty()) return initial;
          return parameter.choices[rng.below(static_cast<std::uint32_t>(parameter.choices.size()))];
        } else {
          return initial;
        }
      },
      parameter.initial);
}

// A random tree of at most some 60 nodes with chance moves and, below chance moves and other players' moves, siblings
// that their mover cannot tell apart.
class RandomTree {
 public:
  explicit RandomTree(Rng& rng) : rng_(rng), players_(1 + rng.below(3)) {
    add("root", "", 0);
    for (std::size_t i = 0; i < movers_.size(); ++i) {
      if (movers_[i] == kOpen) choose(i);
      grow(i);
    }
  }

  Fields fields() const {
    std::vector<std::string> names;
    for (std::uint32_t p = 0; p < players_; ++p) names.push_back("P" + std::to_string(p));
    std::vector<double> payoffs;
    for (const std::int64_t mover : movers_) {
      for (std::uint32_t p = 0; mover == kTerminal && p < players_; ++p)
        payoffs.push_back(static_cast<double>(rng_.below(9)) - 4);
    }
    return {{"title", std::string("random")},
            {"players", names},
            {"nodes", nodes_},
            {"movers", movers_},
            {"first", first_},
            {"counts", counts_},
            {"sets", sets_},
            {"set_names", set_names_},
            {"labels", labels_},
            {"chances", chances_},
            {"payoffs", payoffs}};
  }

 private:
  static constexpr std::int64_t kOpen = 99;  // not yet decided what kind of node

  void add(std::string name, std::string label, double chance) {
    nodes_.push_back(std::move(name));
    labels_.push_back(std::move(label));
    chances_.push_back(chance);
    movers_.push_back(kOpen);
    first_.push_back(0);
    counts_.push_back(0);
    sets_.push_back(-1);
  }

  std::int64_t new_set() {
    set_names_.push_back("set " + std::to_string(set_names_.size()));
    return static_cast<std::int64_t>(set_names_.size()) - 1;
  }

  void choose(std::size_t i) {
    if (i > 0 && (movers_.size() > 50 || rng_.below(4) == 0)) {
      movers_[i] = kTerminal;
    } else if (rng_.below(4) == 0) {
      movers_[i] = kChance;
      counts_[i] = 1 + rng_.below(3);
    } else {
      movers_[i] = rng_.below(players_);
      counts_[i] = 1 + rng_.below(3);
      sets_[i] = new_set();
    }
  }

  void grow(std::size_t i) {
    if (counts_[i] == 0) return;
    first_[i] = static_cast<std::int64_t>(nodes_.size());
    for (std::int64_t a = 0; a < counts_[i]; ++a) {
      const std::string label(1, static_cast<char>('a' + a));
      add(nodes_[i] + "/" + label, label, movers_[i] == kChance ? 1.0 / static_cast<double>(counts_[i]) : 0);
    }
    const auto mover = static_cast<std::int64_t>(rng_.below(players_));
    if (rng_.below(2) == 0 || mover == movers_[i] || movers_.size() > 50) return;
    const std::int64_t set = new_set();
    const std::int64_t count = 1 + rng_.below(3);
    for (auto child = static_cast<std::size_t>(first_[i]); child < nodes_.size(); ++child) {
      movers_[child] = mover;
      counts_[child] = count;
      sets_[child] = set;
    }
  }

  Rng& rng_;
  std::uint32_t players_;
  std::vector<std::string> nodes_, labels_, set_names_;
  std::vector<std::int64_t> movers_, first_, counts_, sets_;
  std::vector<double> chances_;
};

// Rules of a kind: its defaults, a preset or random parameters; what the game refuses is drawn again.
inline Fields random_rules(const bind::GameKind& kind, Rng& rng) {
  if (kind.name == "tree") return RandomTree(rng).fields();
  for (int tries = 0; tries < 100; ++tries) {
    std::string preset;
    if (!kind.presets.empty()) preset = kind.presets[rng.below(static_cast<std::uint32_t>(kind.presets.size()))].name;
    Fields given;
    if (rng.below(2) == 0) {
      for (const auto& parameter : kind.parameters) {
        if (rng.below(2) == 0) given.emplace_back(parameter.name, random_value(parameter, rng));
      }
    }
    try {
      Fields rules = resolve_parameters(kind.parameters, kind.presets, preset, given);
      (void)kind.make(rules);
      return rules;
    } catch (const ParameterError&) {  // two values that do not go together
    }
  }
  return resolve_parameters(kind.parameters, kind.presets, "", {});
}

}  // namespace kiebitz::fuzz
