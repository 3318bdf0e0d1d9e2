// One field of an act, in the spellings that models use.
import { describe, expect, it } from "vitest";
import { readRef } from "./read-value.js";

describe("a ref", () => {
  it.each([
    ["e12"],
    ["E12"],
    ["@e12"],
    ["#e12"],
    ["ref=e12"],
    ["ref: e12"],
    ["ref e12"],
    ["[ref=e12]"],
    ["[e12]"],
    ["(e12)"],
    ["<e12>"],
    ["'e12'"],
    ["`e12`"],
    ['"e12"'],
    ["e12."],
    ["e12,"],
    ['["e12"]'],
    ["12"],
    [12],
    [["e12"]],
    ["e12 textbox"],
    ["e12: Email"],
    ['- button "Go to e13" [ref=e12]'],
  ])("is understood as %j", (value) => {
    expect(readRef(value, "ref")).toBe("e12");
  });

  it.each([
    ["e12 e13"],
    ["e12, e13"],
    ["[e12] [e13]"],
    [["e12", "e13"]],
    ["[ref=e12] [ref=e13]"],
    ["f2e12"],
    ["the12"],
    ["button"],
    [""],
    [{}],
    [null],
  ])("is not guessed from %j", (value) => {
    expect(() => readRef(value, "ref")).toThrowError(/ref must be a ref from snapshot/);
  });
});
