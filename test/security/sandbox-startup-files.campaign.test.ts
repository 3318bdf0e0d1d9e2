// Start-up files and variables that would make a shell run something before the command: planted in
// the home and in the environment of this process, none of them is ever run.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxRunner, IDENTITIES, pairWithIdentities } from "./sandbox-run.js";

const START_FILES = [
  ...[".bashrc", ".bash_profile", ".bash_login", ".profile"],
  ...[".inputrc", ".zshenv", ".kshrc"],
];
/** Each by itself is a way; the last word shells look at is whether they are deep or the first. */
const COMMANDS = ["true", "bash -c true", "sh -c true", "bash --norc -c 'echo x'", "cat"];

let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
beforeAll(async () => {
  runner = await createSandboxRunner();
});
afterAll(() => runner.remove());

describe.each(pairWithIdentities(["sandbox", "host", "group"] as const))(
  "as %s (%s)",
  (identity, containment) => {
    it("c10 · no start-up file is run before or by a command", async () => {
      const { root, home } = runner.makePlace(identity);
      const canary = join(root, "canary");
      const words = `echo ran >> ${canary}\n`;
      // In the workspace too, where a sandboxed command could have put them.
      for (const folder of [home, root]) {
        for (const name of START_FILES) writeFileSync(join(folder, name), words);
      }
      const script = join(root, "script");
      writeFileSync(script, words);
      writeFileSync(join(root, ".env"), `PLANTED=1\nBASH_ENV=${script}\n`);
      const env = {
        BASH_ENV: script,
        ENV: script,
        ZDOTDIR: home,
        SSH_CLIENT: "1.2.3.4 5 6",
        SSH2_CLIENT: "1.2.3.4 5 6",
        SHELLOPTS: "xtrace",
        PS4: `$(echo ran >> ${canary})`,
        PROMPT_COMMAND: words.trim(),
        "BASH_FUNC_true%%": `() { ${words.trim()}; }`,
        "BASH_FUNC_cat%%": `() { ${words.trim()}; }`,
      };
      const order = { root, home, containment, env, commands: COMMANDS };
      const answers = await Promise.all(
        [{}, { input: "open" as const }, { input: "terminal" as const }].map((input) =>
          runner.run(identity, { ...order, ...input }),
        ),
      );
      for (const { exitCodes } of answers) expect(exitCodes).toEqual(COMMANDS.map(() => 0));
      expect(existsSync(canary)).toBe(false);
    });
  },
);

describe("the planted files", () => {
  it("would be run by a shell that is not told otherwise", async () => {
    const [identity] = IDENTITIES;
    const { root, home } = runner.makePlace(identity);
    const canary = join(root, "canary");
    writeFileSync(join(home, ".bash_profile"), `echo ran >> ${canary}\n`);
    const commands = ["bash -lc true"];
    await runner.run(identity, { root, home, containment: "group", commands });
    expect(existsSync(canary)).toBe(true);
  });
});
