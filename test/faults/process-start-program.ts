// Program for the survivors test: starts four commands at once, says so, and waits to be killed.
// Arguments: containment or "plain", token, command, folder to work in.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { findShells } from "../../src/drivers/process/launch/inner-script.js";
import { createRunPipes } from "../../src/drivers/process/launch/run-pipes.js";
import { startPiped } from "../../src/drivers/process/start/start-run.js";
import { findContainments } from "../../src/drivers/sandbox/index.js";

const [way = "", token = "", command = "", folder = ""] = process.argv.slice(2);
const COMMANDS = 4;
const MAX_LIFE_MS = 20_000;
const root = mkdtempSync(`${folder}/started-`);
const env = { PATH: "/usr/bin:/bin" };
const script = `${command}\nsleep ${token}`;

const pipes = createRunPipes();
const shells = findShells();
const found = await findContainments({ root, sandbox: way === "bwrap" ? "bwrap" : "none" });
const containment = way === "bwrap" ? found.sandbox : found.host;
if (containment === undefined || shells === undefined) throw new Error("nothing to contain with");

console.log("starting");
for (let count = 0; count < COMMANDS; count++) {
  if (way === "plain") {
    spawn("/bin/bash", ["-c", script], { detached: true, stdio: "ignore", env });
    continue;
  }
  void startPiped({
    work: { kind: "script", text: script },
    containment,
    shells,
    pipes,
    cwd: root,
    env: { ...env, CLAWTOOLS_RUN: `${token}-${count}` },
    mark: `CLAWTOOLS_RUN=${token}-${count}`,
    allowsNetwork: false,
    input: "closed",
    logPath: undefined,
    onOutput: () => undefined,
    onStarted: async () => undefined,
    assertWanted: () => undefined,
  }).then(() => console.log("begun"));
}
setTimeout(() => process.exit(1), MAX_LIFE_MS);
