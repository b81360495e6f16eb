// Enums whose names are what people write. KIEBITZ_NAMED_ENUM(Scale, unit, raw, siblings) declares the enum, and the
// functions below turn its values into text and back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

#define KIEBITZ_NAMED_ENUM(Name, ...) \
  enum class Name { __VA_ARGS__ };    \
  constexpr std::string_view enum_text(Name) { return #__VA_ARGS__; }

namespace kiebitz {

template <class E>
std::vector<std::string> enum_names() {
  std::string_view rest = enum_text(E{});
  std::vector<std::string> out;
  for (;;) {
    const std::size_t comma = rest.find(", ");
    out.emplace_back(rest.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 2);
  }
}

template <class E>
std::string enum_name(E value) {
  return enum_names<E>()[static_cast<std::size_t>(value)];
}

// The value that `text` names; only the first `count` values are allowed, 0: all of them.
template <class E>
E enum_of(const char* option, const std::string& text, std::size_t count = 0) {
  std::vector<std::string> names = enum_names<E>();
  if (count > 0) names.resize(count);
  std::string expected;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return static_cast<E>(i);
    expected += (i == 0 ? "" : ", ") + names[i];
  }
  throw ParameterError(std::string(option) + ": expected one of " + expected + ", got '" + excerpt(text) + "'");
}

}  // namespace kiebitz
