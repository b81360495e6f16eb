import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Name } from "./Name";

it("may break a name after its underscores, and tells all of it", () => {
  render(<Name name="rule_of_thumb 2" className="who" />);
  const shown = screen.getByTitle("rule_of_thumb 2");
  expect(shown).toHaveTextContent(/^rule_of_thumb 2$/);
  expect(shown.innerHTML).toBe("rule_<wbr>of_<wbr>thumb 2");
  render(<Name name="Ada" />);
  expect(screen.getByTitle("Ada").innerHTML).toBe("Ada");
});
