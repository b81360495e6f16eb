// Named errors. Each becomes a Python exception of the same name below kiebitz.Error, itself a ValueError.
// A message says what was wrong and what was expected instead.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace kiebitz {

// The beginning of a text from outside, for a message; never cut inside a character.
inline std::string excerpt(std::string_view text, std::size_t most = 80) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "...";
}

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

#define KIEBITZ_ERROR(Name)   \
  class Name : public Error { \
   public:                    \
    using Error::Error;       \
  }

KIEBITZ_ERROR(IllegalAction);   // an action that the rules do not allow here, or text that names none
KIEBITZ_ERROR(UnknownName);     // a game, preset, evaluation, formula ... that does not exist
KIEBITZ_ERROR(ParameterError);  // a rule parameter or option out of its range or of the wrong type
KIEBITZ_ERROR(PositionError);   // a saved position or deal that the rules cannot produce
KIEBITZ_ERROR(ViewError);       // a saved view that no state can explain
KIEBITZ_ERROR(TreeError);       // an explicit tree that is not a game with perfect recall
KIEBITZ_ERROR(BudgetError);     // a search budget that is empty or absurd
KIEBITZ_ERROR(UnsuitableGame);  // an algorithm asked to run on a game it is not made for
KIEBITZ_ERROR(LimitError);      // a memory or size limit was reached

#undef KIEBITZ_ERROR

}  // namespace kiebitz
