// What limits a sandboxed command, and whether it was really tried: also where /dev/null cannot be
// written, so that a shell skips whatever is redirected to it.

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Containment, EncloseRequest } from "../../src/core/index.js";
import { makeControlGroup } from "../../src/drivers/sandbox/bwrap/create-bwrap.js";
import { probeSandbox } from "../../src/drivers/sandbox/bwrap/probe.js";
import { findContainments } from "../../src/drivers/sandbox/index.js";
import { MAX_CPU_SECONDS, MAX_DATA_MEBIBYTES } from "../../src/drivers/sandbox/limits.js";
import type { RunAnswer } from "./sandbox-program.js";
import { createSandboxRunner } from "./sandbox-run.js";
import { createSandboxToolkits, execOf } from "./sandbox-toolkit.js";

const isRoot = process.getuid?.() === 0;
const bash = "/bin/bash";
const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const { makeFolder, open } = createSandboxToolkits();
let runner: Awaited<ReturnType<typeof createSandboxRunner>>;
let place: string;

beforeAll(async () => {
  runner = await createSandboxRunner();
  place = realpathSync(mkdtempSync(join(tmpdir(), "limits-")));
  writeFileSync(join(place, "null"), "", { mode: 0o444 });
});
afterAll(() => {
  runner.remove();
  rmSync(place, { recursive: true, force: true });
});

/** The same line, with a /dev/null that nobody inside can write. */
function withoutNull(file: string, args: readonly string[]): [string, string[]] {
  const words = 'mount --bind "$0" /dev/null && exec "$@"';
  return ["unshare", ["--mount", "--", bash, "-c", words, join(place, "null"), file, ...args]];
}

describe.runIf(isRoot)("where /dev/null cannot be written", () => {
  it("the limits of a command are set all the same", async () => {
    const { root, home } = runner.makePlace("root");
    const command = "echo x > /dev/null; ulimit -t; ulimit -d; ulimit -c";
    const order = { root, home, containment: "sandbox", commands: [command] };
    const program = join(runner.folder, "program.mjs");
    const line = withoutNull(process.execPath, [program, JSON.stringify(order)]);
    const { stdout } = await promisify(execFile)(...line);
    // The program of the line above printed it.
    const { kind, outputs } = JSON.parse(stdout) as RunAnswer;
    expect(kind).toBe("bwrap");
    expect(outputs[0]).toContain("/dev/null: Permission denied");
    expect(outputs[0]).toContain(`\n${MAX_CPU_SECONDS}\n${MAX_DATA_MEBIBYTES * 1_024}\n0`);
  });

  const swap = (words: readonly string[], by: readonly string[]) => (args: readonly string[]) => {
    const at = args.findIndex((_, index) => words.every((word, add) => args[index + add] === word));
    expect(at).toBeGreaterThan(-1);
    return [...args.slice(0, at), ...by, ...args.slice(at + words.length)];
  };
  const same = (args: readonly string[]) => [...args];
  const OLD_LIMITS = { setupScript: "ulimit -f 9000; { ulimit -t 4096; } 2>/dev/null" };

  it.each([
    ["a network", { allowsNetwork: true }, same, "the network of the host is reached"],
    ["a folder to write", {}, swap(["--ro-bind", "/opt"], ["--bind", "/opt"]), "in /opt"],
    [
      "a root to write",
      {},
      swap(["--remount-ro", "/", "--new-session"], ["--new-session"]),
      "in /",
    ],
    ["devices to write", {}, swap(["--remount-ro", "/dev"], []), "in /dev"],
    ["kernel settings", {}, swap(["--remount-ro", "/proc"], []), "settings of the kernel"],
    ["further namespaces", {}, swap(["--disable-userns"], []), "a further user namespace"],
    ["rights", {}, swap(["--cap-drop", "ALL"], []), "rights are left"],
    ["unfiltered calls", {}, swap(["--seccomp", "4"], []), "the rights of their owner"],
    ["no processes to look at", {}, swap(["--proc", "/proc"], ["--dir", "/proc"]), "/proc"],
    ["limits that are not set", OLD_LIMITS, same, "ulimit -t 4096 is not set"],
  ] as const)("a sandbox with %s does not count as one", async (_name, more, change, problem) => {
    const root = makeFolder();
    const { sandbox } = await findContainments({ root, sandbox: "bwrap" });
    if (sandbox === undefined) throw new Error("There is no sandbox here.");
    const weak = (line: typeof withoutNull): Containment => ({
      ...sandbox,
      ...more,
      enclose(request: EncloseRequest) {
        const inside = sandbox.enclose({ ...request, ...more });
        const [file, args] = line(inside.file, change(inside.args));
        return { ...inside, file, args };
      },
    });
    const sound = { ...sandbox, enclose: sandbox.enclose };
    expect(await probeSandbox({ containment: sound, bash, root, env })).toBeUndefined();
    expect(await probeSandbox({ containment: weak(withoutNull), bash, root, env })).toContain(
      problem,
    );
  });
});

describe("a command", () => {
  const fork = (count: number) =>
    `perl -e 'for (1..${count}) { if (!fork) { $SIG{TERM} = sub { open F, ">", "asked"; exit }; sleep 60; exit } } $SIG{TERM} = "IGNORE"; sleep 60'`;

  it("with hundreds of processes is killed at its deadline, others are asked first", async () => {
    const [many, few] = [makeFolder(), makeFolder()];
    for (const [root, count] of [[many, 300] as const, [few, 3] as const]) {
      const { text } = await execOf(open({ root }))(fork(count), { timeout: 2 });
      expect(text).toContain("timed out");
    }
    expect(existsSync(join(few, "asked"))).toBe(true);
    expect(existsSync(join(many, "asked"))).toBe(false);
  });

  it("has a lower priority than the program that ends it, made ahead or not", async () => {
    const exec = execOf(open({ root: makeFolder() }));
    const told = [await exec("nice"), await exec("nice"), await exec("nice", { pty: true })];
    for (const { text } of told) expect(text).toContain(String(getPriority() + 5));
  });
});

describe("a control group", () => {
  it("counts nothing where none can be made", () => {
    expect(makeControlGroup(join(place, "nowhere"))).toBeUndefined();
  });
});
