// Rule parameters: defaults, presets, and the checks that keep nonsense out of the rules.
#include <cmath>

#include "games/contract.hpp"

namespace kiebitz {
namespace {

template <class T>
std::string joined(const std::vector<T>& items, std::string (*text)(const T&)) {
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + text(item);
  return out.empty() ? "none" : out;
}

std::string number_text(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e15) return std::to_string(static_cast<std::int64_t>(x));
  return std::to_string(x);
}

// Converts a given value to the type of the parameter where that loses nothing: 3 for 3.0, an empty list of any type.
Value converted(const Parameter& parameter, const Value& given) {
  const Value& model = parameter.initial;
  if (given.index() == model.index()) return given;
  if (const auto* n = std::get_if<std::int64_t>(&given); n != nullptr && std::holds_alternative<double>(model)) {
    return static_cast<double>(*n);
  }
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&given)) {
    if (std::holds_alternative<std::vector<double>>(model)) return std::vector<double>(list->begin(), list->end());
    if (list->empty() && std::holds_alternative<std::vector<std::string>>(model)) return std::vector<std::string>{};
  }
  throw ParameterError(parameter.name + ": expected " + type_name(model) + ", got " + type_name(given));
}

void check_number(const Parameter& parameter, double x) {
  if (!(x >= parameter.low && x <= parameter.high)) {
    throw ParameterError(parameter.name + ": expected " + number_text(parameter.low) + " to " +
                         number_text(parameter.high) + ", got " + number_text(x));
  }
}

void check(const Parameter& parameter, const Value& value) {
  if (parameter.low != parameter.high) {
    if (const auto* n = std::get_if<std::int64_t>(&value)) check_number(parameter, static_cast<double>(*n));
    if (const auto* d = std::get_if<double>(&value)) check_number(parameter, *d);
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
      for (const std::int64_t n : *list) check_number(parameter, static_cast<double>(n));
    }
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      for (const double d : *list) check_number(parameter, d);
    }
  }
  if (!parameter.choices.empty()) {
    const auto& text = std::get<std::string>(value);
    for (const auto& choice : parameter.choices) {
      if (choice == text) return;
    }
    throw ParameterError(parameter.name + ": expected one of " +
                         joined<std::string>(parameter.choices, [](const std::string& s) { return s; }) + ", got '" +
                         text + "'");
  }
}

}  // namespace

Fields resolve_parameters(const std::vector<Parameter>& parameters, const std::vector<Preset>& presets,
                          const std::string& preset, const Fields& given) {
  Fields resolved;
  for (const auto& parameter : parameters) resolved.emplace_back(parameter.name, parameter.initial);

  const auto set = [&](const std::string& name, const Value& value) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].name != name) continue;
      Value v = converted(parameters[i], value);
      check(parameters[i], v);
      resolved[i].second = std::move(v);
      return;
    }
    throw ParameterError("unknown parameter '" + name + "'; expected one of: " +
                         joined<Parameter>(parameters, [](const Parameter& p) { return p.name; }));
  };

  if (!preset.empty()) {
    const Preset* chosen = nullptr;
    for (const auto& p : presets) {
      if (p.name == preset) chosen = &p;
    }
    if (chosen == nullptr) {
      throw UnknownName("unknown preset '" + preset +
                        "'; expected one of: " + joined<Preset>(presets, [](const Preset& p) { return p.name; }));
    }
    for (const auto& [name, value] : chosen->values) set(name, value);
  }
  for (const auto& [name, value] : given) set(name, value);
  return resolved;
}

}  // namespace kiebitz
