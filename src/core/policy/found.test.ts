// Places and texts of a config as people read them.

import { expect, it } from "vitest";
import { quote, showPath } from "./found.js";

it.each([
  [[], "config"],
  [["tools", "deny", 2], "tools.deny[2]"],
  [["tools", "byProvider", "openai/gpt-5.2", "allow"], 'tools.byProvider["openai/gpt-5.2"].allow'],
  [["agents", "list", 0, "tools"], "agents.list[0].tools"],
  [["channels", "slack", "groups", "*"], 'channels.slack.groups["*"]'],
])("%j is shown as %s", (path, shown) => {
  expect(showPath(path)).toBe(shown);
});

it("shows texts in quotes, cut and without control characters", () => {
  expect(quote('a"b\n')).toBe('"a\\"b\\u{000A}"');
  expect(quote("x".repeat(200))).toHaveLength(83);
});
