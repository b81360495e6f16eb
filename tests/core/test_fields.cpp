// Named values: nested ones are read, compared and written as text, and refused with the path to what is wrong.
#include <doctest/doctest.h>

#include <functional>

#include "base/fields.hpp"
#include "base/key_text.hpp"

using namespace kiebitz;

namespace {

using Integers = std::vector<std::int64_t>;
using Reader = FieldReader<PositionError>;

Fields pot(std::int64_t chips, Integers seats) { return {{"chips", chips}, {"seats", std::move(seats)}}; }

const Fields kTable = {{"dealer", std::int64_t{1}},
                       {"main", pot(12, {0, 1, 2})},
                       {"sides", std::vector<Value>{Value(pot(5, {0, 2})), Value(pot(3, {2}))}},
                       {"none", Integers{}}};

std::string refusal(const std::function<void(const Reader&)>& read) {
  try {
    read(Reader(kTable));
  } catch (const PositionError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("fields: nested values are read at any depth") {
  const Reader in(kTable);
  CHECK(in.part("main").integer("chips", 0, 100) == 12);
  const auto sides = in.parts("sides", 0, 5);
  REQUIRE(sides.size() == 2);
  CHECK(sides[1].integers("seats", 0, 2, 1, 3) == Integers{2});
  CHECK(in.parts("none", 0, 5).empty());
}

TEST_CASE("fields: what is wrong is named by its path") {
  CHECK(refusal([](const Reader& in) { in.part("dealer"); }) == "dealer: expected named values, got a whole number");
  CHECK(refusal([](const Reader& in) { in.part("pots"); }) == "missing field 'pots'");
  CHECK(refusal([](const Reader& in) { in.part("main").text("chips"); }) ==
        "main.chips: expected text, got a whole number");
  CHECK(refusal([](const Reader& in) { in.part("main").boolean("all"); }) == "missing field 'main.all'");
  CHECK(refusal([](const Reader& in) { in.parts("main", 0, 3); }) ==
        "main: expected a list of named values, got named values");
  CHECK(refusal([](const Reader& in) { in.parts("sides", 0, 1); }) == "sides: expected 0 to 1 entries, got 2");
  CHECK(refusal([](const Reader& in) { in.parts("none", 1, 1); }) == "none: expected 1 entries, got 0");
  CHECK(refusal([](const Reader& in) { in.parts("sides", 2, 2)[1].integers("seats", 0, 1, 1, 3); }) ==
        "sides[1].seats: expected 0 to 1, got 2");
  CHECK(refusal([](const Reader& in) { in.parts("sides", 2, 2)[0].only({"chips"}); }) ==
        "unknown field 'sides[0].seats'; expected chips");
  CHECK(refusal([](const Reader& in) { in.integers("sides", 0, 1, 0, 3); }) ==
        "sides: expected a list of whole numbers, got a list");
  const Fields mixed = {{"list", std::vector<Value>{Value(pot(1, {})), Value(Nothing{})}}};
  CHECK_THROWS_WITH_AS(Reader(mixed).parts("list", 0, 9), "list[1]: expected named values, got no value",
                       PositionError);
}

TEST_CASE("fields: nested values compare and have a text of their own") {
  Fields other = kTable;
  CHECK(other == kTable);
  CHECK(key_text(kTable) ==
        "dealer=1 main={chips=12 seats=[0,1,2]} sides=[{chips=5 seats=[0,2]},{chips=3 seats=[2]}] none=[]");
  std::get<std::vector<Value>>(other[2].second)[1] = Nothing{};
  CHECK(other != kTable);
  CHECK(key_text(other).ends_with("{chips=5 seats=[0,2]},null] none=[]"));
}
