// Values of fields that are named like a secret are not repeated.

import { expect, it } from "vitest";
import { hideSecret } from "./validate.js";

const message = 'expected a number, received "hunter2"';

it.each([
  ["password"],
  ["db.password"],
  ["apiKey"],
  ["api_key"],
  ["accessToken"],
  ["tokens[0].token"],
  ["client_secret"],
  ["headers.Authorization"],
  ["secret[0]"],
])("the value of %s is hidden", (path) => {
  expect(hideSecret({ path, message }, "ours").message).toBe(
    "expected a number, received something else",
  );
  expect(hideSecret({ path, message: "hunter2 is bad" }, "foreign").message).not.toContain(
    "hunter",
  );
});

it("that a list came is told of a secret too", () => {
  const list = "expected a string, received an array of 2 items";
  expect(hideSecret({ path: "key", message: list }, "ours").message).toBe(list);
});

it.each([["path"], ["maxTokens"], ["tokens"], ["keys"], [""]])(
  "the value of %s is shown",
  (path) => {
    expect(hideSecret({ path, message }, "ours").message).toBe(message);
  },
);
