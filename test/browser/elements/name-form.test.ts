// Which names an element may have after it was pressed.

import { describe, expect, it } from "vitest";
import { isFormOf } from "../../../src/drivers/browser/inpage/refs/name-form.js";

describe("a name after the press", () => {
  it.each([
    ["Save", "Saving…"],
    ["Save", "Saved"],
    ["Saving…", "Saved"],
    ["Saved", "Save"],
    ["Follow", "Following"],
    ["Like", "Liked"],
    ["Submit", "Submitting"],
    ["Submit order", "Submitting order…"],
    ["Copy", "Copied!"],
    ["Copying", "Copied"],
    ["Add", "Added"],
    ["Star", "Starred"],
    ["Use", "Used"],
    ["Cart (1)", "Cart (2)"],
    ["Cart", "Cart (1)"],
    ["Cart (9)", "Cart"],
    ["Inbox [1]", "Inbox [12]"],
    ["Bob Ray", "Bob Ray, selected"],
    ["Bob Ray", "Selected: Bob Ray"],
    ["保存", "保存中"],
    ["Bob Ray", "BOB RAY"],
    ["☆", "★"],
    ["Save", ""],
    ["Save", "⏳"],
  ])("is of the same one: %s, %s", (before, now) => {
    expect(isFormOf(before, now)).toBe(true);
  });

  it.each([
    ["Paris", "Parma"],
    ["Bob Ray", "Cyd Fox"],
    ["Bob Ray", "Ray Bob"],
    ["Bob Ray", "Bob"],
    ["Room 12", "Room 13"],
    ["Order 101 (1)", "Order 102 (1)"],
    ["Send", "Sent"],
    ["Ann", "Anne"],
    ["Ann", "Anna"],
    ["Fred", "Fr"],
    ["King", "K"],
    ["Martin", "Martina"],
    ["Play", "Pause"],
    ["Delete", "Deliver"],
    ["李明", "李华"],
    ["☆", "Bob"],
  ])("is another's: %s, %s", (before, now) => {
    expect(isFormOf(before, now)).toBe(false);
  });
});
