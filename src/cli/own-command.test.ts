// The words for this program that a person can type as they stand.

import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTempFolder } from "../../test/plugins/temp-folder.js";
import { inOwnWords, readOwnCommand, toOwnCommand } from "./own-command.js";

it("is the name where the shell finds it, else this Node and the file", async () => {
  const folder = await createTempFolder({ clawtools: "", "a b.js": "" });
  const program = join(folder, "a b.js");
  const env = { PATH: `:/nowhere-at-all:${folder}` };
  const whole = expect.stringMatching(/node'? '.*a b\.js'$/);
  // A file that cannot be run is passed over by the shell.
  expect(readOwnCommand(program, env)).toEqual(whole);
  await chmod(join(folder, "clawtools"), 0o755);
  expect(readOwnCommand(program, env)).toBe("clawtools");
  expect(readOwnCommand(program, {})).toEqual(whole);
  expect(readOwnCommand(join(folder, "gone.js"), {})).toMatch(/gone\.js$/);
});

describe("texts that name a command", () => {
  const OWN = "/bin/node '/a $& b/bin.js'";

  it.each([
    ["See `clawtools undo --list`.", `See \`${OWN} undo --list\`.`],
    ["With `clawtools a b; clawtools c d` or `clawtools e`", 3],
    ["clawtools failed: no; clawtools is not there.", 0],
    ["The text `x` of clawtools config", 0],
  ])("%j says only commands in own words", (sentence, wanted) => {
    const said = inOwnWords(sentence, OWN);
    if (typeof wanted === "string") expect(said).toBe(wanted);
    else expect(said.split(OWN).length - 1).toBe(wanted);
    expect(inOwnWords(sentence, "clawtools")).toBe(sentence);
  });

  it("a whole line is one, or is left as it is", () => {
    expect(toOwnCommand("clawtools doctor --fix", OWN)).toBe(`${OWN} doctor --fix`);
    expect(toOwnCommand("chmod 600 clawtools x", OWN)).toBe("chmod 600 clawtools x");
  });
});
