// What defineTool refuses: definitions that could never be called.

import { expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "./define-tool.js";
import { t } from "./schema/build.js";

const sound = {
  name: "sound",
  description: "A tool.",
  parameters: t.object({ text: t.string() }),
  execute: async () => ({ content: [] }),
};

it.each([
  [{ deadlineMs: 0 }, "deadlineMs"],
  [{ deadlineMs: -5 }, "deadlineMs"],
  [{ deadlineMs: Number.NaN }, "deadlineMs"],
  [{ deadlineMs: Number.POSITIVE_INFINITY }, "deadlineMs"],
  [{ deadlineMs: 3e9 }, "deadlineMs"],
  [{ description: undefined }, "a description is required"],
  [{ description: " " }, "a description is required"],
  [{ parameters: undefined }, "must be a schema object"],
  [{ execute: undefined }, "give execute or load"],
  [{ execute: undefined, exceute: async () => ({ content: [] }) }, "give execute or load"],
  [{ awaits: "something" }, "only one of them"],
  [{ execute: "run" }, "execute must be a function"],
  [{ needs: ["rooot"] }, 'needs "rooot", which is not a context field'],
  [{ needsToCall: ["session"] }, 'needs "session", which is not a context field'],
  [{ name: "" }, "is not a valid tool name"],
  [{ name: "a b" }, "is not a valid tool name"],
  [{ alsoKnownAs: ["ä"] }, "is not a valid tool name"],
  [{ parameters: z.string() }, 'of type "object"'],
  [{ parameters: { type: "string" } }, 'of type "object"'],
  [{ parameters: [] }, "must be a schema object"],
  [{ aliases: { words: "txt" } }, 'alias "words" points to "txt"'],
  [
    { synonyms: { text: { hi: { txt: "hello" } } } },
    'synonyms name "txt", which is not a parameter',
  ],
])("%o is refused", (fault, message) => {
  // Called as a program without types would.
  expect(() => Reflect.apply(defineTool, undefined, [{ ...sound, ...fault }])).toThrowError(
    message,
  );
});

it.each([undefined, null, 5, "tool"])("%o is no definition", (spec) => {
  expect(() => Reflect.apply(defineTool, undefined, [spec])).toThrowError("takes an object");
});

it("a sound definition is frozen, its schema too", () => {
  const definition = defineTool(sound);
  expect(Object.isFrozen(definition)).toBe(true);
  expect(Object.isFrozen(definition.parameters.properties)).toBe(true);
});
