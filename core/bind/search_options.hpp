// Options of searches between C++ and Python, by their descriptions (search/option.hpp): keywords in, the signature for
// the type stub and the descriptions themselves out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "bind/convert.hpp"
#include "search/options.hpp"

namespace kiebitz::bind {

// A description as Python sees it.
struct SearchOption {
  std::string name;
  std::string kind;  // bool, int, float or str
  nb::object initial;
  nb::object low;
  nb::object high;
  nb::object most;
  std::vector<std::string> choices;
  std::string help;
  std::string effect;
  bool budget = false;
  bool in_specs = true;
};

template <class Value>
constexpr const char* kind_of() {
  if constexpr (std::is_same_v<Value, bool>) return "bool";
  if constexpr (std::is_integral_v<Value>) return "int";
  if constexpr (std::is_floating_point_v<Value>) return "float";
  return "str";
}

// --- In --------------------------------------------------------------------------------------------------------------

inline std::string repr_of(nb::handle object) { return excerpt(nb::cast<std::string>(nb::repr(object))); }

[[noreturn]] inline void refuse(const search::OptionInfo& info, const char* expected, nb::handle got) {
  throw ParameterError(std::string(info.name) + ": expected " + expected + ", got " + repr_of(got));
}

template <class Value>
void read_option(const search::OptionInfo& info, nb::handle given, Value& out) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (!nb::isinstance<nb::bool_>(given)) refuse(info, "true or false", given);
    out = nb::cast<bool>(given);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    if (!nb::isinstance<nb::int_>(given) || !nb::try_cast(given, out)) refuse(info, "a whole number from 0 up", given);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    std::conditional_t<std::is_integral_v<Value>, std::int64_t, double> number = 0;
    const bool plain = !nb::isinstance<nb::bool_>(given) && PyNumber_Check(given.ptr()) != 0;
    if (!plain || (std::is_integral_v<Value> && PyIndex_Check(given.ptr()) == 0)) {
      refuse(info, std::is_integral_v<Value> ? "a whole number" : "a number", given);
    }
    if (!nb::try_cast(given, number)) search::out_of_range(info, repr_of(given));  // too large for the type
    search::check_range(info, number);
    out = static_cast<Value>(number);
  } else {
    if (!nb::isinstance<nb::str>(given)) refuse(info, "text", given);
    const auto text = text_value<ParameterError>(given);
    if constexpr (std::is_enum_v<Value>) {
      out = enum_of<Value>(info.name, text, static_cast<std::size_t>(info.choices));
    } else {
      out = text;
    }
  }
}

// The options with these values, the others as they are by default. A budget that is None is not given.
template <class Options>
Options read_options(const nb::dict& given) {
  Options out;
  std::size_t known = 0;
  std::string names;
  Options::describe(out, [&](auto& value, const search::OptionInfo& info) {
    names += (names.empty() ? "" : ", ") + std::string(info.name);
    if (!given.contains(info.name)) return;
    ++known;
    nb::handle object = given[info.name];
    if (!(info.budget && object.is_none())) read_option(info, object, value);
  });
  if (known == given.size()) return out;
  for (const auto& [key, value] : given) {
    const auto name = text_value<ParameterError>(key);
    bool found = false;
    Options::describe(out, [&](auto&, const search::OptionInfo& info) { found = found || name == info.name; });
    if (!found) {
      throw ParameterError(std::string(Options::kName) + " has no option '" + excerpt(name) + "'; expected " + names);
    }
  }
  return out;
}

// --- Out -------------------------------------------------------------------------------------------------------------

template <class Options>
std::vector<SearchOption> search_options() {
  std::vector<SearchOption> out;
  const Options initial;
  Options::describe(initial, [&](const auto& value, const search::OptionInfo& info) {
    using Value = std::decay_t<decltype(value)>;
    const auto bound = [](double x) -> nb::object {
      if (std::isinf(x)) return nb::none();
      if (std::is_same_v<Value, bool>) return nb::bool_(x != 0);
      if (std::is_integral_v<Value>) return nb::int_(static_cast<std::int64_t>(x));
      return nb::float_(x);
    };
    SearchOption& option = out.emplace_back();
    option.name = info.name;
    option.kind = kind_of<Value>();
    option.help = info.help;
    option.effect = enum_name(info.effect);
    option.budget = info.budget;
    option.in_specs = info.in_specs;
    option.low = option.high = nb::none();
    option.most = bound(info.most);
    if constexpr (std::is_enum_v<Value>) {
      option.choices = enum_names<Value>();
      if (info.choices > 0) option.choices.resize(static_cast<std::size_t>(info.choices));
      option.initial = nb::cast(enum_name(value));
    } else {
      option.initial = info.budget ? nb::none() : nb::cast(value);
    }
    if (option.kind == "int" || option.kind == "float") {
      option.low = bound(info.low);
      option.high = bound(info.high);
    }
  });
  return out;
}

// The signature of the constructor for the type stub: a keyword for each option, then `more`. `types` replaces the
// types of options that can be more than a plain value.
template <class Options>
std::string signature(const std::string& first, const std::string& more = "",
                      const std::map<std::string, std::string>& types = {}) {
  std::string out = "def __init__(self, " + first + ", *";
  for (const SearchOption& option : search_options<Options>()) {
    const auto type = types.find(option.name);
    out += ", " + option.name + ": " + (type == types.end() ? option.kind : type->second) +
           (option.budget ? " | None" : "") + " = " + repr_of(option.initial);
  }
  return out + (more.empty() ? "" : ", " + more) + ") -> None";
}

}  // namespace kiebitz::bind
