// Reading and writing Fields: the one place where saved values are checked for presence, type and range.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace kiebitz {

inline const Value* find_field(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

inline std::string type_name(const Value& value) {
  static const char* const names[] = {
      "true or false",     "a whole number",  "a number", "text",   "a list of whole numbers",
      "a list of numbers", "a list of texts", "no value", "a list", "named values"};
  return names[value.index()];
}

// A reader over saved fields that throws E (PositionError, ViewError ...) with the field's name in the message; inside
// nested fields the name is a path such as pots[1].seats.
template <class E>
class FieldReader {
 public:
  explicit FieldReader(const Fields& fields, std::string path = "") : fields_(fields), path_(std::move(path)) {}

  // Nested fields.
  FieldReader part(std::string_view name) const {
    const Value& v = get(name);
    if (const auto* fields = std::get_if<Fields>(&v)) return FieldReader(*fields, full(name) + ".");
    throw E(full(name) + ": expected named values, got " + type_name(v));
  }

  // A list of nested fields, with a length within shortest..longest.
  std::vector<FieldReader> parts(std::string_view name, std::size_t shortest, std::size_t longest) const {
    const Value& v = get(name);
    std::vector<FieldReader> out;
    const auto* list = std::get_if<std::vector<Value>>(&v);
    if (list == nullptr && !is_empty_list(v))
      throw E(full(name) + ": expected a list of named values, got " + type_name(v));
    check_length(name, list == nullptr ? 0 : list->size(), shortest, longest, "entries");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const std::string place = full(name) + "[" + std::to_string(i) + "]";
      const auto* fields = std::get_if<Fields>(&(*list)[i]);
      if (fields == nullptr) throw E(place + ": expected named values, got " + type_name((*list)[i]));
      out.emplace_back(*fields, place + ".");
    }
    return out;
  }

  bool has(std::string_view name) const { return find_field(fields_, name) != nullptr; }

  std::int64_t integer(std::string_view name, std::int64_t low, std::int64_t high) const {
    const Value& v = get(name);
    if (const auto* n = std::get_if<std::int64_t>(&v)) {
      check_range(name, *n, low, high);
      return *n;
    }
    return fail<std::int64_t>(name, "a whole number", v);
  }

  bool boolean(std::string_view name) const {
    const Value& v = get(name);
    if (const auto* b = std::get_if<bool>(&v)) return *b;
    return fail<bool>(name, "true or false", v);
  }

  const std::string& text(std::string_view name) const {
    const Value& v = get(name);
    if (const auto* s = std::get_if<std::string>(&v)) return *s;
    throw E(full(name) + ": expected text, got " + type_name(v));
  }

  // A list of whole numbers, each within low..high, with a length within shortest..longest.
  std::vector<std::int64_t> integers(std::string_view name, std::int64_t low, std::int64_t high, std::size_t shortest,
                                     std::size_t longest) const {
    const Value& v = get(name);
    const auto* list = std::get_if<std::vector<std::int64_t>>(&v);
    // An empty list carries no type of its own.
    if (list == nullptr && is_empty_list(v) && shortest == 0) return {};
    if (list == nullptr) return fail<std::vector<std::int64_t>>(name, "a list of whole numbers", v);
    check_length(name, list->size(), shortest, longest, "numbers");
    for (const std::int64_t n : *list) check_range(name, n, low, high);
    return *list;
  }

  std::vector<std::string> texts(std::string_view name, std::size_t shortest, std::size_t longest) const {
    const Value& v = get(name);
    const auto* list = std::get_if<std::vector<std::string>>(&v);
    if (list == nullptr && shortest == 0 && is_empty_list(v)) return {};
    if (list == nullptr) return fail<std::vector<std::string>>(name, "a list of texts", v);
    check_length(name, list->size(), shortest, longest, "texts");
    return *list;
  }

  // Refuses fields that the game does not know: a misspelt name must not be silently ignored.
  void only(std::span<const std::string_view> known) const {
    for (const auto& [key, value] : fields_) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        std::string message = "unknown field '" + full(key) + "'; expected";
        for (const auto& k : known) message += " " + std::string(k);
        throw E(message);
      }
    }
  }
  void only(std::initializer_list<std::string_view> known) const {
    only(std::span<const std::string_view>(known.begin(), known.size()));
  }

 private:
  static bool is_empty_list(const Value& v) {
    return std::visit(
        [](const auto& x) {
          using T = std::decay_t<decltype(x)>;
          if constexpr (std::is_same_v<T, std::vector<double>> || std::is_same_v<T, std::vector<std::string>> ||
                        std::is_same_v<T, std::vector<std::int64_t>> || std::is_same_v<T, std::vector<Value>>) {
            return x.empty();
          } else {
            return false;
          }
        },
        v);
  }

  const Value& get(std::string_view name) const {
    const Value* v = find_field(fields_, name);
    if (v == nullptr) throw E("missing field '" + full(name) + "'");
    return *v;
  }

  std::string full(std::string_view name) const { return path_ + std::string(name); }

  void check_range(std::string_view name, std::int64_t n, std::int64_t low, std::int64_t high) const {
    if (n < low || n > high) {
      throw E(full(name) + ": expected " + std::to_string(low) + " to " + std::to_string(high) + ", got " +
              std::to_string(n));
    }
  }

  void check_length(std::string_view name, std::size_t n, std::size_t shortest, std::size_t longest,
                    const char* of) const {
    if (n < shortest || n > longest) {
      throw E(full(name) + ": expected " + std::to_string(shortest) +
              (shortest == longest ? "" : " to " + std::to_string(longest)) + " " + of + ", got " + std::to_string(n));
    }
  }

  template <class T>
  T fail(std::string_view name, const char* expected, const Value& v) const {
    throw E(full(name) + ": expected " + expected + ", got " + type_name(v));
  }

  const Fields& fields_;
  std::string path_;  // where these fields are nested
};

}  // namespace kiebitz
