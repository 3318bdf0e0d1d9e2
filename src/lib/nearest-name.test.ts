// Which slips find their name, and which find none.

import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.js";

const known = ["path", "oldText", "sessions_list", "sessions_send", "web_fetch"];

it.each([
  ["paht", "path"],
  ["pth", "path"],
  ["old_text", "oldText"],
  ["OLDTEXT", "oldText"],
  ["session_list", "sessions_list"],
  ["webfetch", "web_fetch"],
])("%s is near %s", (name, expected) => {
  expect(nearestName(name, known)).toBe(expected);
});

it.each(["x", "unrelated", "", "p".repeat(100_000)])("%.20s is near nothing", (name) => {
  expect(nearestName(name, known)).toBeUndefined();
});
