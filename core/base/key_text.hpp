// A canonical text of named values, the key of a view: equal views have equal keys, others differ.
#pragma once

#include <charconv>
#include <string>
#include <type_traits>
#include <variant>

#include "base/types.hpp"

namespace kiebitz {

std::string key_text(const Fields& fields);

inline void append_text(std::string& out, const Value& value) {
  std::visit(
      [&out](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, bool>) {
          out += x ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::string>) {
          out += '"';
          for (const char c : x) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
          }
          out += '"';
        } else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, double>) {
          char buffer[32];
          out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
        } else if constexpr (std::is_same_v<T, Nothing>) {
          out += "null";
        } else if constexpr (std::is_same_v<T, Fields>) {
          out += "{" + key_text(x) + "}";
        } else {
          out += '[';
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (i > 0) out += ',';
            append_text(out, Value(x[i]));
          }
          out += ']';
        }
      },
      value);
}

inline std::string key_text(const Fields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    out += (out.empty() ? "" : " ") + name + "=";
    append_text(out, value);
  }
  return out;
}

}  // namespace kiebitz
