// What defineTool refuses: definitions that could never be called.

import { expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "./define-tool.js";
import { object, string } from "./schema/build.js";

const sound = {
  name: "sound",
  description: "A tool.",
  parameters: object({ text: string() }),
  execute: async () => ({ content: [] }),
};

it.each([
  [{ deadlineMs: 0 }, "deadlineMs"],
  [{ deadlineMs: -5 }, "deadlineMs"],
  [{ deadlineMs: Number.NaN }, "deadlineMs"],
  [{ deadlineMs: Number.POSITIVE_INFINITY }, "deadlineMs"],
  [{ deadlineMs: 3e9 }, "deadlineMs"],
  [{ name: "" }, "is no tool name"],
  [{ name: "a b" }, "is no tool name"],
  [{ alsoKnownAs: ["ä"] }, "is no tool name"],
  [{ parameters: z.string() }, 'of type "object"'],
  [{ parameters: { type: "string" } }, 'of type "object"'],
  [{ parameters: [] }, "must be a schema object"],
  [{ aliases: { words: "txt" } }, 'alias "words" points to "txt"'],
])("%o is refused", (fault, message) => {
  // Called as a program without types would.
  expect(() => Reflect.apply(defineTool, undefined, [{ ...sound, ...fault }])).toThrowError(
    message,
  );
});

it("a sound definition is frozen, its schema too", () => {
  const definition = defineTool(sound);
  expect(Object.isFrozen(definition)).toBe(true);
  expect(Object.isFrozen(definition.parameters.properties)).toBe(true);
});
