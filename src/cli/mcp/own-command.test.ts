// The words for this program that a person can type as they stand.

import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createTempFolder } from "../../../test/plugins/temp-folder.js";
import { readOwnCommand } from "./own-command.js";

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
});
