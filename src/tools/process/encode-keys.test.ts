// What each key sends, and which names are refused.
import { describe, expect, it } from "vitest";
import { encodeKeys, parseHexBytes } from "./encode-keys.js";

const PLAIN = { applicationCursor: false, enter: "\r" };

const sent = (keys: readonly string[], state = PLAIN) => {
  const { bytes, problems } = encodeKeys(keys, state);
  expect(problems).toEqual([]);
  return Buffer.from(bytes).toString("latin1");
};

describe("keys", () => {
  it.each([
    ["Enter", "\r"],
    ["Return", "\r"],
    ["M-Enter", "\x1b\r"],
    ["Tab", "\t"],
    ["S-Tab", "\x1b[Z"],
    ["BTab", "\x1b[Z"],
    ["Escape", "\x1b"],
    ["BSpace", "\x7f"],
    ["Space", " "],
    ["C-Space", "\0"],
    ["C-@", "\0"],
    ["a", "a"],
    ["S-a", "A"],
    ["C-c", "\x03"],
    ["c-C", "\x03"],
    ["^D", "\x04"],
    ["C-[", "\x1b"],
    ["C-?", "\x7f"],
    ["M-x", "\x1bx"],
    ["C-M-x", "\x1b\x18"],
    ["Up", "\x1b[A"],
    ["C-Right", "\x1b[1;5C"],
    ["S-M-Left", "\x1b[1;4D"],
    ["Home", "\x1b[1~"],
    ["End", "\x1b[4~"],
    ["S-End", "\x1b[1;2F"],
    ["PgUp", "\x1b[5~"],
    ["NPage", "\x1b[6~"],
    ["C-Delete", "\x1b[3;5~"],
    ["F1", "\x1bOP"],
    ["S-F1", "\x1b[1;2P"],
    ["F5", "\x1b[15~"],
    ["S-F5", "\x1b[15;2~"],
    ["F12", "\x1b[24~"],
    ["KP7", "\x1bOw"],
    ["KPEnter", "\x1bOM"],
  ])("%s sends its code", (key, code) => {
    expect(sent([key])).toBe(code);
  });

  it("are sent in their order", () => {
    expect(sent(["C-a", "x", "Enter"])).toBe("\x01x\r");
  });

  it("of the cursor follow the mode of the terminal", () => {
    const state = { ...PLAIN, applicationCursor: true };
    expect(sent(["Up", "Home", "C-Up", "Delete"], state)).toBe("\x1bOA\x1bOH\x1b[1;5A\x1b[3~");
  });

  it("type a character of any script as it is", () => {
    const { bytes } = encodeKeys(["é", "M-😀"], PLAIN);
    expect(Buffer.from(bytes).toString()).toBe("é\x1b😀");
  });

  it.each([
    ["C-1", 'A terminal has no code for "C-1".'],
    ["C-Enter", 'A terminal has no code for "C-Enter".'],
    ["S-1", 'A terminal has no code for "S-1".'],
    ["C-é", 'A terminal has no code for "C-é".'],
    ["Entr", '"Entr" is not a key; did you mean "enter"?'],
    ["git status", '"git status" is not a key; send text with literal.'],
  ])("%s is refused with a reason", (key, problem) => {
    expect(encodeKeys([key], PLAIN).problems).toEqual([problem]);
  });
});

describe("bytes in hex", () => {
  it("are sent as they are, also above 7f", () => {
    const { bytes, problems } = parseHexBytes(["c3", "A9", "0x1b", "1b5b41"]);
    expect([...bytes]).toEqual([0xc3, 0xa9, 0x1b, 0x1b, 0x5b, 0x41]);
    expect(problems).toEqual([]);
  });

  it.each(["1", "xyz", "", "0x"])("%j is refused", (entry) => {
    expect(parseHexBytes([entry]).problems).toHaveLength(1);
  });
});
