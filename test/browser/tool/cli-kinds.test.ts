// `clawtools browser act` takes every kind of act, and its help names each.
import { expect, it } from "vitest";
import { readActWords } from "../../../src/cli/browser/act-words.js";
import { BROWSER } from "../../../src/cli/table/browser/group.js";
import { ACT_KINDS } from "../../../src/tools/browser/actions.js";

const help = BROWSER.commands.find(({ name }) => name === "act")?.notes?.join(" ") ?? "";

it.each(ACT_KINDS)("%s can be written, and stands in the help", (kind) => {
  expect(help).toMatch(new RegExp(`\\b${kind}\\b`));
  expect(() => readActWords([kind])).not.toThrow(/no kind of act/);
});
