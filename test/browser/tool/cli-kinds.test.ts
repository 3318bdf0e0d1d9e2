// `clawtools browser act` takes every kind of act, and its help names each.
import { expect, it } from "vitest";
import { readActWords } from "../../../src/cli/commands/browser/act-words.js";
import { COMMANDS } from "../../../src/cli/commands/browser/commands.js";
import { ACT_KINDS } from "../../../src/tools/browser/actions.js";

const help = COMMANDS.act.notes.join(" ");

it.each(ACT_KINDS)("%s can be written, and stands in the help", (kind) => {
  expect(help).toMatch(new RegExp(`\\b${kind}\\b`));
  expect(() => readActWords([kind])).not.toThrow(/Unknown action/);
});
