// Test run: every *.test.ts beside its source and under test/; the doors resolve to the sources.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { inpageForVite } from "./scripts/build/inpage-source.mjs";

const door = (file: string) => fileURLToPath(new URL(`./src/public/${file}.ts`, import.meta.url));

export default defineConfig({
  plugins: [inpageForVite],
  resolve: {
    alias: [
      { find: /^clawtools$/, replacement: door("index") },
      {
        find: /^clawtools\/(adapters|tools|connectors|mcp|plugins|testing)$/,
        replacement: `${door("").replace(/\.ts$/, "")}$1.ts`,
      },
    ],
  },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
    // What is waited for comes at once on a quiet machine; a busy one has room.
    expect: { poll: { timeout: 10_000 } },
    // The default leaves one core to whoever watches; most tests wait for other processes.
    maxWorkers: "100%",
    // No test touches the state of whoever runs it.
    env: { CLAWTOOLS_STATE_DIR: fileURLToPath(new URL("./.cache/test-state", import.meta.url)) },
  },
});
