// Hostile patterns inside Standard Schemas are stopped as those of plain JSON Schema are.

import { defineTool, textResult } from "clawtools";
import { expect, it } from "vitest";
import * as z from "zod";
import { bindAlone } from "../fakes/resolve-tool.js";

/** Unguarded the pattern runs for years; the guard of 50 ms may wait for a busy processor. */
const MAX_MS = 100_000;

it("f4 · a runaway pattern of zod ends in a typed error, and a sound value still passes", async () => {
  const tool = bindAlone(
    defineTool({
      name: "match",
      description: "Takes a text that a pattern allows.",
      parameters: z.object({ text: z.string().regex(/^(a+)+$/) }),
      execute: async ({ params }) => textResult(params.text),
    }),
  );
  await tool.execute("warm", { text: "a" });
  const startedMs = performance.now();
  const result = await tool.execute("call_1", { text: `${"a".repeat(40)}!` });
  expect(performance.now() - startedMs).toBeLessThan(MAX_MS);
  expect(result.details).toMatchObject({ code: "limit", reason: "pattern_timeout" });
  expect((await tool.execute("call_2", { text: "aaa" })).content).toEqual([
    { type: "text", text: "aaa" },
  ]);
});
