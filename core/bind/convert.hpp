// Plain values between C++ and Python.
#pragma once

#include <nanobind/nanobind.h>

#include "base/error.hpp"
#include "base/types.hpp"

namespace kiebitz::bind {

namespace nb = nanobind;

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
        } else if constexpr (std::is_same_v<T, Counts>) {
          nb::dict dict;
          for (const auto& [name, number] : x) dict[name.c_str()] = number;
          return dict;
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
  for (const auto& [name, value] : fields) dict[name.c_str()] = to_python(value);
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

// E is the error to raise for what is not a plain value.
template <class E>
Value to_value(nb::handle object, const std::string& name) {
  if (nb::isinstance<nb::bool_>(object)) return nb::cast<bool>(object);
  if (nb::isinstance<nb::int_>(object)) return whole_number<E>(object, name);
  if (nb::isinstance<nb::float_>(object)) return nb::cast<double>(object);
  if (nb::isinstance<nb::str>(object)) return text_value<E>(object);
  if (is_list(object)) {
    std::vector<std::int64_t> whole;
    std::vector<double> real;
    std::vector<std::string> texts;
    std::size_t n = 0;
    for (nb::handle item : object) {
      ++n;
      // Before the call, not after it: lists can be nested deeper than the stack is.
      if (is_list(item)) throw E(name + ": expected a list of numbers or of texts, not of lists");
      const Value v = to_value<E>(item, name);
      if (const auto* i = std::get_if<std::int64_t>(&v)) {
        whole.push_back(*i);
        real.push_back(static_cast<double>(*i));
      } else if (const auto* d = std::get_if<double>(&v)) {
        real.push_back(*d);
      } else if (const auto* s = std::get_if<std::string>(&v)) {
        texts.push_back(*s);
      } else {
        throw E(name + ": expected a list of numbers or of texts");
      }
    }
    if (whole.size() == n) return whole;
    if (real.size() == n) return real;
    if (texts.size() == n) return texts;
    throw E(name + ": expected a list of numbers or of texts, not a mixture");
  }
  throw E(name + ": expected true or false, a number, text or a list of these");
}

template <class E>
Fields to_fields(nb::handle object) {
  if (!nb::isinstance<nb::dict>(object)) throw E("expected a mapping of names to values");
  Fields fields;
  for (auto [key, value] : nb::cast<nb::dict>(object)) {
    if (!nb::isinstance<nb::str>(key)) throw E("expected names that are text");
    const std::string name = text_value<E>(key);
    fields.emplace_back(name, to_value<E>(value, name));
  }
  return fields;
}

}  // namespace kiebitz::bind
