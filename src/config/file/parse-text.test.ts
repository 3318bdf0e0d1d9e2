// Damaged text is answered, whatever the damage: a value or a fault with a place, never a throw.

import json5 from "json5";
import { expect, it } from "vitest";
import { parseConfig } from "../index.js";
import { parseText } from "./parse-text.js";

const MUTATIONS = 3_000;
const SEED = 20_260;

const SAMPLE = `{
  // the base
  tools: { profile: "coding", deny: ['exec', "group:web",], byProvider: { "a/b": { allow: ["x"] } } },
  agents: { list: [{ id: "support", tools: { alsoAllow: [] } }] }, /* more */
  limits: { resultChars: 0x1000, turnChars: +2e5 }, budgets: { usd: .5 },
}`;

const PIECES = [
  ..."{}[]:,\"'\\/*+-.0e\n\t\u2028\u0000 ",
  "__proto__: { polluted: 1 }, ",
  '"constructor": 1, ',
  "\\u0061",
  "Infinity",
  "null",
  "// ",
  "/* ",
  "tools: {}, ",
  "\uD800",
];

/** A small generator with a seed, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it("3,000 seeded mutations of a config each give a value or a fault", () => {
  const random = createRandom(SEED);
  const outcomes = { right: 0, refused: 0, faulty: 0 };
  for (let round = 0; round < MUTATIONS; round += 1) {
    let text = SAMPLE;
    for (let change = random(4); change >= 0; change -= 1) {
      const at = random(text.length);
      const piece = PIECES[random(PIECES.length)] ?? "";
      text = text.slice(0, at) + piece + text.slice(at + random(3));
    }
    const parsed = parseText(text, json5.parse);
    if (parsed.ok) outcomes[parseConfig(parsed.value).ok ? "right" : "refused"] += 1;
    else {
      outcomes.faulty += 1;
      for (const { message } of parsed.faults) {
        expect(message).toMatch(
          /^(?:is not valid JSON5 at |has the key .+ twice:? on line |is deeper)/,
        );
      }
    }
  }
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(
    Object.values(outcomes).every((count) => count > 20),
    JSON.stringify(outcomes),
  ).toBe(true);
});
