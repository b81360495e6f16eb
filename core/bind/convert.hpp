// Plain values between C++ and Python.
#pragma once

#include <nanobind/nanobind.h>

#include "base/error.hpp"
#include "base/types.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;

nb::dict to_python(const Fields& fields);

inline nb::object to_python(const Value& value) {
  return std::visit(
      [](const auto& x) -> nb::object {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, bool>) {
          return nb::bool_(x);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return nb::int_(x);
        } else if constexpr (std::is_same_v<T, double>) {
          return nb::float_(x);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return nb::str(x.data(), x.size());
        } else if constexpr (std::is_same_v<T, Nothing>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, Fields>) {
          return to_python(x);
        } else {
          nb::list list;
          for (const auto& item : x) list.append(to_python(Value(item)));
          return list;
        }
      },
      value);
}

inline nb::dict to_python(const Fields& fields) {
  nb::dict dict;
  for (const auto& [name, value] : fields) dict[nb::str(name.data(), name.size())] = to_python(value);
  return dict;
}

template <class E>
std::int64_t whole_number(nb::handle object, const std::string& name) {
  int overflow = 0;
  const long long n = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) throw E(name + ": the number is too large");
  if (n == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return n;
}

// Text, embedded zeros included. Half a surrogate pair has no UTF-8 form and is refused.
template <class E>
std::string text_value(nb::handle object) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    throw E("expected text that can be written as UTF-8");
  }
  return {data, static_cast<std::size_t>(size)};
}

inline bool is_list(nb::handle object) { return nb::isinstance<nb::list>(object) || nb::isinstance<nb::tuple>(object); }

// Reads plain values, nested or not, from Python objects. E is the error to raise for anything else. Input can come
// from anywhere, so nesting has limits: an object may contain itself, or the same large part a thousand times.
template <class E>
class ValueReader {
 public:
  Fields fields(nb::handle object) { return fields(object, "", 0); }

 private:
  static constexpr int kDeepest = 32;
  static constexpr std::size_t kMostNested = 1'000'000;  // values in lists and mappings below those of the fields

  Fields fields(nb::handle object, const std::string& path, int depth) {
    if (!nb::isinstance<nb::dict>(object)) throw E("expected a mapping of names to values");
    Fields out;
    for (auto [key, item] : nb::cast<nb::dict>(object)) {
      if (!nb::isinstance<nb::str>(key)) throw E("expected names that are text");
      std::string name = text_value<E>(key);
      Value read = value(item, path + excerpt(name), depth);
      out.emplace_back(std::move(name), std::move(read));
    }
    return out;
  }

  Value value(nb::handle object, const std::string& name, int depth) {
    const bool mapping = nb::isinstance<nb::dict>(object);
    // Before going deeper, not after it: input can be nested deeper than the stack is.
    if (mapping || is_list(object)) {
      if (depth == kDeepest) throw E(name + ": nested deeper than " + std::to_string(kDeepest) + " levels");
      if (depth > 0) spend(name);
      return mapping ? Value(fields(object, name + ".", depth + 1)) : list(object, name, depth + 1);
    }
    if (depth > 1) spend(name);
    if (nb::isinstance<nb::bool_>(object)) return nb::cast<bool>(object);
    if (nb::isinstance<nb::int_>(object)) return whole_number<E>(object, name);
    if (nb::isinstance<nb::float_>(object)) return nb::cast<double>(object);
    if (nb::isinstance<nb::str>(object)) return text_value<E>(object);
    if (object.is_none()) return Nothing{};
    throw E(name + ": expected true or false, a number, text, None, or a list or mapping of these");
  }

  // Numbers alone and texts alone have a list type of their own; whole numbers among others count as numbers.
  Value list(nb::handle object, const std::string& name, int depth) {
    std::vector<Value> all;
    std::size_t whole = 0;
    std::size_t real = 0;
    std::size_t texts = 0;
    for (nb::handle item : object) {
      all.push_back(value(item, name, depth));
      whole += std::holds_alternative<std::int64_t>(all.back());
      real += std::holds_alternative<double>(all.back());
      texts += std::holds_alternative<std::string>(all.back());
    }
    if (whole == all.size()) return gather<std::int64_t>(all);
    if (texts == all.size()) return gather<std::string>(all);
    if (whole + real < all.size()) return all;
    std::vector<double> numbers;
    for (const Value& v : all) {
      const auto* n = std::get_if<std::int64_t>(&v);
      numbers.push_back(n != nullptr ? static_cast<double>(*n) : std::get<double>(v));
    }
    return numbers;
  }

  template <class T>
  static std::vector<T> gather(std::vector<Value>& values) {
    std::vector<T> out;
    out.reserve(values.size());
    for (Value& v : values) out.push_back(std::move(std::get<T>(v)));
    return out;
  }

  void spend(const std::string& name) {
    if (++spent_ > kMostNested) {
      throw E(name + ": more than " + std::to_string(kMostNested) + " values in nested lists and mappings");
    }
  }

  std::size_t spent_ = 0;
};

template <class E>
Fields to_fields(nb::handle object) {
  return ValueReader<E>().fields(object);
}

}  // namespace kiebitz::bind
