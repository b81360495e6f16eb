import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// The built page lies beside the server that hands it out; nothing is inlined, so that a strict content policy holds.
export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../src/kiebitz/server/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    include: ["src/**/*.test.{ts,tsx}"],
    css: false,
    testTimeout: 20_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
});
