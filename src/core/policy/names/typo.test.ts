// Which names are slips of a known one: at most two letters between them, a swap counts one.
import { expect, it } from "vitest";
import { nearestTypo } from "./typo.js";

const KNOWN = ["read", "write", "exec", "sessions_list", "sessions_send", "group:fs", "cron"];

it.each([
  ["raed", "read"],
  ["rea", "read"],
  ["reaad", "read"],
  ["re", "read"],
  ["xread", "read"],
  ["wirte", "write"],
  ["wiret", "write"],
  ["group:sf", "group:fs"],
  ["session_lst", "sessions_list"],
  ["sessions_sned", "sessions_send"],
])("%s is a slip of %s", (name, nearest) => {
  expect(nearestTypo(name, KNOWN)).toBe(nearest);
});

it.each(["browser", "readers", "", "x", "group:media", "r".repeat(100_000)])(
  "%.20s is no slip of anything",
  (name) => {
    expect(nearestTypo(name, KNOWN)).toBeUndefined();
  },
);

it("takes the nearest, though another came first", () => {
  expect(nearestTypo("cats", ["cart", "cat"])).toBe("cat");
  expect(nearestTypo("boat", ["bat", "boot"])).toBe("bat");
});
