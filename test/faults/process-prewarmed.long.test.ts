// The containment that waits for the next command: who gets it, that a command cannot tell, and that it
// is gone with whoever made it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createProcessSetting, startOf } from "./process-setting.js";
import { buildProgram } from "./run-and-kill.js";

type Setting = ReturnType<typeof createProcessSetting>;

const settings: Setting[] = [];
const MARKER = /CLAWTOOLS_RUN=(\w+)/;

function setUp(containment: "bwrap" | "namespace" | "group"): Setting {
  const made = createProcessSetting({ containment });
  settings.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(settings.splice(0).map((setting) => setting.remove()));
});

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

/** Outer processes of the containments of this process whose work is told later. */
function findMade(): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const isChild = read(`/proc/${pid}/status`).includes(`\nPPid:\t${process.pid}\n`);
    return isChild && /eval "(exec )?\$CLAWTOOLS_WORD"/.test(read(`/proc/${pid}/cmdline`));
  });
}

/** Whether the innermost process is a shell, and has nothing to do. */
function isWaiting(pid: number): boolean {
  const child = Number.parseInt(read(`/proc/${pid}/task/${pid}/children`), 10);
  if (child > 0) return isWaiting(child);
  const isShell = /\/(?:ba|da)sh\0/.test(read(`/proc/${pid}/cmdline`).slice(0, 30));
  return isShell && read(`/proc/${pid}/status`).includes("\nState:\tS");
}

/** The marker of the one that waits. */
async function waitForOne(): Promise<string> {
  await expect.poll(() => findMade().filter(isWaiting).length).toBe(1);
  return MARKER.exec(read(`/proc/${findMade()[0]}/environ`))?.[1] ?? "";
}

/** Descriptors of this process that keep the mounts of another namespace. */
function countHeldMounts(): number {
  const links = readdirSync("/proc/self/fd").map((name) => readLink(`/proc/self/fd/${name}`));
  return links.filter((link) => link.startsWith("mnt:[")).length;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // That of the listing itself.
    return "";
  }
}

async function run({ processes }: Setting, command: string, more = {}): Promise<string> {
  const started = await processes.start(startOf(command, more));
  const { exitCode } = await started.ended;
  return `${started.output.view(10_000).text}[${exitCode}]`;
}

const markerOf = async (setting: Setting, more = {}) =>
  (await run(setting, "printenv CLAWTOOLS_RUN", more)).split("\n")[0];

/** What a command can see of how it was started. */
const QUESTIONS = [
  'echo "$0 $# $- $SHLVL"; exit 3',
  "no-such-program",
  "-n",
  "echo out; echo err >&2; kill -TERM $$",
  "ls -l /proc/self/fd | wc -l; cat",
  "env | grep -v CLAWTOOLS_RUN | sort; set | grep -c ^CLAWTOOLS_WORD",
  "pwd; ulimit -a; umask; cat /proc/1/comm",
  `printf '%s|' 'it'"'"'s' "two  words" \\$HOME '*' ~ ; ls -d * .[a-z]* 2>&-`,
  "set -o | grep errexit; trap; jobs; echo $BASH_SUBSHELL",
  "sh -c 'kill -SEGV $$'; echo $?",
];

describe.each(["bwrap", "namespace"] as const)("one made ahead in %s", (containment) => {
  it("is where the next command runs, and there is a new one after it", async () => {
    const setting = setUp(containment);
    await run(setting, "true");
    const waiting = await waitForOne();
    expect(await markerOf(setting)).toBe(waiting);
    const next = await waitForOne();
    expect(next).not.toBe(waiting);
    expect(await markerOf(setting)).toBe(next);
  });

  it("has its mounts held for it, and no longer than it is there", async () => {
    const setting = setUp(containment);
    await run(setting, "true");
    await waitForOne();
    await expect.poll(countHeldMounts).toBe(1);
    // The one before is let go of; the next one has its own.
    await run(setting, "true");
    await waitForOne();
    await expect.poll(countHeldMounts).toBe(1);
    await setting.processes.close();
    await expect.poll(countHeldMounts).toBe(0);
  });

  it("cannot be told from a new one", async () => {
    for (const question of QUESTIONS) {
      const setting = setUp(containment);
      const anew = await run(setting, question);
      await waitForOne();
      expect(await run(setting, question)).toBe(anew);
      await setting.processes.close();
    }
  });

  it("waits on while a command does not fit in a line", async () => {
    const setting = setUp(containment);
    await run(setting, "true");
    const waiting = await waitForOne();
    expect(await run(setting, "echo one\necho two")).toBe("one\ntwo\n[0]");
    expect(await run(setting, `echo ${"x".repeat(2_000)} | wc -c`)).toBe("2001\n[0]");
    expect(await markerOf(setting)).toBe(waiting);
  });

  it("is not for another environment, folder or input", async () => {
    const setting = setUp(containment);
    mkdirSync(join(setting.root, "below"));
    for (const more of [{ env: { GREETING: "hi" } }, { workdir: "below" }]) {
      await run(setting, "true");
      const waiting = await waitForOne();
      expect(await markerOf(setting, more)).not.toBe(waiting);
    }
    await run(setting, "true");
    const waiting = await waitForOne();
    const open = await setting.processes.start(
      startOf("cat; printenv CLAWTOOLS_RUN", { input: "open" }),
    );
    await open.endInput();
    await open.ended;
    expect(open.output.view(1_000).text).not.toContain(waiting);
  });

  it("is not for a folder that took the place of another", async () => {
    const setting = setUp(containment);
    const place = join(setting.root, "place");
    mkdirSync(place);
    await run(setting, "true", { workdir: "place" });
    const waiting = await waitForOne();
    renameSync(place, join(setting.root, "moved"));
    mkdirSync(place);
    expect(await markerOf(setting, { workdir: "place" })).not.toBe(waiting);
    await run(setting, "touch here", { workdir: "place" });
    expect(readdirSync(place)).toEqual(["here"]);
  });

  it("is not for other limits and rights of new files than it was made with", async () => {
    const setting = setUp(containment);
    await run(setting, "true");
    const waiting = await waitForOne();
    const before = process.umask(0o077);
    try {
      expect(await markerOf(setting)).not.toBe(waiting);
      await waitForOne();
      expect(await run(setting, "umask")).toBe("0077\n[0]");
    } finally {
      process.umask(before);
    }
  });

  it("that was killed is not missed", async () => {
    const setting = setUp(containment);
    await run(setting, "true");
    await waitForOne();
    for (const pid of findMade()) process.kill(pid, "SIGKILL");
    await expect.poll(findMade).toEqual([]);
    expect(await run(setting, "echo still")).toBe("still\n[0]");
  });

  it("is gone after close, also when it was just being made", async () => {
    for (const delayMs of [0, 15, 25, 100]) {
      const setting = setUp(containment);
      await run(setting, "true");
      await new Promise((done) => setTimeout(done, delayMs));
      await setting.processes.close();
      expect(findMade()).toEqual([]);
    }
  });
});

describe("one made ahead in bwrap", () => {
  const CHANGES: readonly (readonly [string, (root: string) => void])[] = [
    [
      "a repository was made",
      (root) => mkdirSync(join(root, ".git", "hooks"), { recursive: true }),
    ],
    ["a protected file appeared", (root) => writeFileSync(join(root, "clawtools.json"), "{}")],
    [
      "a protected file was replaced",
      (root) => {
        writeFileSync(join(root, "new"), "{}");
        renameSync(join(root, "new"), join(root, "exec-approvals.json"));
      },
    ],
  ];

  it("serves a folder whose name has blanks and backslashes", async () => {
    const top = mkdtempSync(join(tmpdir(), "prewarmed-"));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const root = join(top, "a b\\c\tü #1\r\u00a0\u2028\u3000");
    mkdirSync(root);
    writeFileSync(join(root, "clawtools.json"), "{}");
    const setting = createProcessSetting({ options: { root } });
    settings.push(setting);
    expect(await run(setting, "ls")).toBe("clawtools.json\n[0]");
    const waiting = await waitForOne();
    expect(await markerOf(setting)).toBe(waiting);
  });

  it.each(CHANGES)("is not used when %s", async (_what, change) => {
    const setting = setUp("bwrap");
    writeFileSync(join(setting.root, "exec-approvals.json"), "{}");
    await run(setting, "true");
    const waiting = await waitForOne();
    change(setting.root);
    expect(await markerOf(setting)).not.toBe(waiting);
    const tries =
      "echo x > exec-approvals.json; echo x > clawtools.json; echo x > .git/hooks/pre-commit";
    await run(setting, tries);
    expect(read(join(setting.root, "exec-approvals.json"))).toBe("{}");
    expect(read(join(setting.root, ".git/hooks/pre-commit"))).toBe("");
  });
});

it("is not made where nothing ends it with this process", async () => {
  const setting = setUp("group");
  await run(setting, "true");
  await new Promise((done) => setTimeout(done, 200));
  expect(findMade()).toEqual([]);
});

describe.each(["bwrap", "none"])("whoever made one ahead (sandbox: %s)", (sandbox) => {
  async function startProgram(what: "stay" | "end") {
    const folder = mkdtempSync(join(tmpdir(), "prewarmed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "work"));
    const program = join(folder, "program.mjs");
    await buildProgram(new URL("./process-prewarmed-program.ts", import.meta.url), program);
    const args = [program, what, join(folder, "work"), sandbox];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(child.stdout, "data");
    return { child, waiting: Number(line) };
  }
  const isThere = (pid: number) => read(`/proc/${pid}/cmdline`) !== "";

  it("takes it along when it is killed", async () => {
    const { child, waiting } = await startProgram("stay");
    // While a program takes the place of another it has no words for a moment.
    await expect.poll(() => isThere(waiting)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    await expect.poll(() => isThere(waiting)).toBe(false);
  });

  it("need not close anything to end by itself", async () => {
    const { child, waiting } = await startProgram("end");
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    await expect.poll(() => isThere(waiting)).toBe(false);
  });
});
