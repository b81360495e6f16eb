import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// On a busy machine a second is soon over.
configure({ asyncUtilTimeout: 10_000 });

// axe asks for a canvas, which jsdom has not.
HTMLCanvasElement.prototype.getContext = () => null;

afterEach(() => {
  cleanup();
  localStorage.clear();
});
