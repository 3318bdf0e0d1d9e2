// Every way in which models write refs.

import { expect, test } from "vitest";
import { parseRef } from "./ref-spelling.js";

test.each([
  ["e12", 12],
  ["E12", 12],
  [" e12 ", 12],
  ["@e12", 12],
  ["ref=e12", 12],
  ["ref: e12", 12],
  ["[ref=e12]", 12],
  ['ref="e12"', 12],
  ["12", 12],
  ["ax12", 12],
  ["f1e12", 12],
  ["e0", 0],
])("%s is a ref", (text, ref) => {
  expect(parseRef(text)).toBe(ref);
});

test.each(["", "e", "button", "e12 e13", "e-1", "1.5", "e1234567890", "#e12", "e12>x"])(
  "%s is none",
  (text) => {
    expect(parseRef(text)).toBeUndefined();
  },
);
