// Made at the first call, once, also when it is nothing.

import { expect, it } from "vitest";
import { lazy } from "./lazy.js";

it.each([undefined, 0, "value"])("makes %j when it is first asked for, and once", (value) => {
  let made = 0;
  const read = lazy(() => {
    made++;
    return value;
  });
  expect(made).toBe(0);
  expect([read(), read()]).toEqual([value, value]);
  expect(made).toBe(1);
});
