import { act, render } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { reloadPrefs, setPrefs } from "../prefs";
import { themeOf, useApplyTheme } from "./theme";

function Root() {
  useApplyTheme();
  return null;
}

const motion = () => document.documentElement.dataset["motion"];

it("follows the system unless the person chose", () => {
  expect([themeOf("system", true), themeOf("system", false), themeOf("light", true)]).toEqual(["dark", "light", "light"]);
});

it("tells the styles when nothing may move", () => {
  reloadPrefs();
  render(<Root />);
  expect(motion()).toBe("on");
  act(() => setPrefs({ animate: false }));
  expect(motion()).toBe("off");
});

it("hears the system's wish for little motion", () => {
  reloadPrefs();
  vi.stubGlobal("matchMedia", (text: string) => ({
    matches: text.includes("reduced-motion"),
    addEventListener() {},
    removeEventListener() {},
  }));
  render(<Root />);
  expect(motion()).toBe("off");
  vi.unstubAllGlobals();
});
