// The file tools, through a toolkit with undo, where the disk is full, read-only or forbidden, or no
// descriptor is left: a typed error, the old content, nothing half-made, and work goes on afterwards.

import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createToolkit, type Toolkit } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useProgram } from "../contract/store/processes.js";
import type { ToolStep } from "./tool-calls.js";

const run = promisify(execFile);
const TIMEOUT_MS = 240_000;
const LARGE_BYTES = 100 * 1024 * 1024;
/** Takes several writes and many pages. */
const WRITTEN_BYTES = 20 * 1024 * 1024;
const entry = fileURLToPath(new URL("./tool-calls.ts", import.meta.url));
const program = useProgram(
  `import { takeSteps } from ${JSON.stringify(entry)}; await takeSteps(process.argv.slice(2));`,
);

const isLinux = process.platform === "linux";
const isPrivileged = process.getuid?.() === 0;

let place: string;
let root: string;
let stateDir: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "tool-faults-")));
  [root, stateDir] = [join(place, "root"), join(place, "state")];
  mkdirSync(join(root, "dir"), { recursive: true });
});

afterEach(() => {
  chmodSync(join(root, "dir"), 0o755);
  rmSync(place, { recursive: true, force: true });
});

interface Steps {
  /** Ends in something that starts what follows it. */
  readonly prefix: readonly string[];
  readonly steps: readonly ToolStep[];
  /** Has the root and the state in it. */
  readonly folder: string;
}

function runSteps(prefix: readonly string[], steps: readonly ToolStep[]): Promise<unknown[]> {
  return runStepsIn({ prefix, steps, folder: place });
}

async function runStepsIn({ prefix, steps, folder }: Steps): Promise<unknown[]> {
  const list = join(folder, "steps.json");
  writeFileSync(list, JSON.stringify(steps));
  const places = [join(folder, "root"), join(folder, "state"), list];
  const command = [...prefix, process.execPath, program(), ...places];
  const [file = "", ...args] = command;
  const { stdout } = await run(file, args, { timeout: TIMEOUT_MS, encoding: "utf8" });
  const outcomes: unknown[] = JSON.parse(stdout);
  expect(outcomes).toHaveLength(steps.length);
  return outcomes;
}

const patch = (...parts: readonly string[]) =>
  ["*** Begin Patch", ...parts, "*** End Patch"].join("\n");
const read = (path: string): ToolStep => ({ call: "read", arguments: { path } });
const write = (path: string, content: string): ToolStep => ({
  call: "write",
  arguments: { path, content },
});
const edit = (path: string, newText: string): ToolStep => ({
  call: "edit",
  arguments: { path, oldText: "old", newText },
});
const apply = (...parts: readonly string[]): ToolStep => ({
  call: "apply_patch",
  arguments: { input: patch(...parts) },
});
const update = (path: string, line: string) => `*** Update File: ${path}\n@@\n-old\n+${line}`;

describe.runIf(isLinux)("a disk that refuses", () => {
  /** In a file system of its own over the root, which vanishes with the process. */
  const mounted = (script: string) => [
    "unshare",
    "-Urm",
    "sh",
    "-c",
    `mount -t tmpfs -o size=512k none "${root}" && cd "${root}" && ${script} && cd / && exec "$@"`,
    "sh",
  ];
  const SETUP = "mkdir dir && printf 'old\\n' > a && printf 'old\\n' > dir/b";
  const OLD = { a: "old\n", "dir/b": "old\n" };
  const LONG = "n".repeat(100 * 1024);

  it("because it is full keeps the old content, and the same calls work when there is room", async () => {
    const changes = [
      write("a", LONG),
      write("new/deep/c", LONG),
      edit("a", LONG),
      apply(update("a", LONG)),
      // A step that works, and one that does not: both are taken back, and their folders.
      apply(`*** Add File: more/d\n+1`, update("dir/b", LONG)),
    ];
    const fill = "dd if=/dev/zero of=ballast bs=1024 count=440 2>/dev/null";
    const outcomes = await runSteps(mounted(`${SETUP} && ${fill}`), [
      ...changes,
      { show: 10 },
      { shell: "test ! -e more && test ! -e new/deep && ls -A | sort | tr '\\n' ' '" },
      read("a"),
      { shell: "rm ballast" },
      apply(`*** Add File: more/d\n+1`, update("dir/b", "new")),
      edit("a", "new"),
      { show: 10 },
    ]);
    const full = "failed/enospc";
    const done = "done";
    expect(outcomes.slice(0, changes.length)).toEqual(Array(changes.length).fill(full));
    expect(outcomes.slice(changes.length)).toEqual([
      ...[OLD, done, done, done, done, done],
      { a: "new\n", "dir/b": "new\n", "more/d": "1\n" },
    ]);
  });

  it("because it is full leaves what an undo would replace, and undoes it later", async () => {
    const fill = "dd if=/dev/zero of=ballast bs=1024 count=440 2>/dev/null";
    const outcomes = await runSteps(mounted(SETUP), [
      write("a", LONG),
      { call: "write", arguments: { path: "a", content: "short\n" }, id: "one" },
      {
        call: "apply_patch",
        arguments: { input: patch("*** Delete File: dir/b", "*** Add File: c\n+1") },
        id: "two",
      },
      { shell: fill },
      { undo: "one" },
      { show: 6 },
      { shell: "rm ballast" },
      { undo: "one" },
      { undo: "two" },
      { show: 6 },
    ]);
    expect(outcomes).toEqual([
      ...["done", "done", "done", "done", "failed/enospc"],
      { a: "short\n", c: "1\n" },
      ...["done", "done", "done"],
      { a: "nnnnnn", "dir/b": "old\n" },
    ]);
  });

  it("because it is read-only is read, and every change is refused", async () => {
    const changes = [
      write("a", "new"),
      write("new/c", "new"),
      edit("a", "new"),
      apply(update("a", "new")),
      apply("*** Add File: x/y\n+1"),
      apply("*** Delete File: a"),
      apply("*** Update File: a\n*** Move to: x/a"),
    ];
    const script = `${SETUP} && mount -o remount,ro none "${root}"`;
    const outcomes = await runSteps(mounted(script), [read("a"), ...changes, { show: 10 }]);
    expect(outcomes).toEqual(["done", ...Array(changes.length).fill("failed/erofs"), OLD]);
  });
});

describe.runIf(isLinux)("what this user may not do", () => {
  /** A privileged user may do everything, so the program runs without privileges. */
  const humbly = isPrivileged ? ["unshare", "-U", "env"] : ["env"];

  it("is refused by name, and nothing changes", async () => {
    for (const name of ["a", "dir/b", "secret"]) writeFileSync(join(root, name), "old\n");
    chmodSync(join(root, "a"), 0o444);
    chmodSync(join(root, "secret"), 0o000);
    chmodSync(join(root, "dir"), 0o555);
    const refused = [
      read("secret"),
      edit("secret", "new"),
      apply(update("secret", "new")),
      write("a", "new"),
      edit("a", "new"),
      apply(update("a", "new")),
      apply("*** Delete File: a"),
      write("dir/c", "new"),
      write("dir/deep/c", "new"),
      edit("dir/b", "new"),
      apply("*** Add File: dir/c\n+1"),
      apply("*** Delete File: dir/b"),
      apply("*** Update File: dir/b\n*** Move to: b"),
      apply("*** Add File: first\n+1", "*** Add File: dir/c\n+1"),
    ];
    const outcomes = await runSteps(humbly, [...refused, read("a"), write("free", "1")]);
    expect(outcomes).toEqual([...Array(refused.length).fill("failed/eacces"), "done", "done"]);
    chmodSync(join(root, "secret"), 0o600);
    for (const name of ["a", "dir/b", "secret"]) {
      expect(readFileSync(join(root, name), "utf8")).toBe("old\n");
    }
    expect(readdirSync(root).sort()).toEqual(["a", "dir", "free", "secret"]);
    expect(readdirSync(join(root, "dir"))).toEqual(["b"]);
  });
});

describe.runIf(isLinux)("no descriptor left", () => {
  const limited = ["sh", "-c", 'ulimit -n 128 && exec "$@"', "sh"];
  const CALLS: Readonly<Record<string, ToolStep>> = {
    read: read("a"),
    write: write("a", "new\n"),
    edit: edit("a", "new"),
    apply_patch: apply("*** Add File: x/y\n+1", update("a", "new")),
  };

  const expectWhole = async ([name, call]: readonly [string, ToolStep], folder: string) => {
    mkdirSync(join(folder, "root"), { recursive: true });
    writeFileSync(join(folder, "root", "a"), "old\n");
    const tries = [0, 1, 2, 3, 5, 8, 11, 15];
    const again: ToolStep = { shell: "rm -rf x && printf 'old\\n' > a" };
    const steps = tries.flatMap((descriptors): ToolStep[] => [
      { ...call, descriptors } as ToolStep,
      { show: 10 },
      again,
    ]);
    // Everything is loaded and opened before descriptors become few.
    const all = [call, again, ...steps];
    const outcomes = await runStepsIn({ prefix: limited, steps: all, folder });
    const called = outcomes.slice(2).filter((_, index) => index % 3 === 0);
    const shown = outcomes.slice(2).filter((_, index) => index % 3 === 1);
    expect(new Set(called), name).toEqual(new Set(["failed/emfile", "done"]));
    expect([called[0], called.at(-1)], name).toEqual(["failed/emfile", "done"]);
    const after = { a: name === "read" ? "old\n" : "new\n" };
    const whole = name === "apply_patch" ? { ...after, "x/y": "1\n" } : after;
    expect(shown, name).toEqual(
      called.map((outcome) => (outcome === "done" ? whole : { a: "old\n" })),
    );
  };

  it("each tool works or changes nothing, at every number", async () => {
    // Side by side, each in a process and a folder of its own: a call waits for descriptors.
    await Promise.all(
      Object.entries(CALLS).map((entry) => expectWhole(entry, join(place, "each", entry[0]))),
    );
  });
});

describe("what is no file to work on", () => {
  let toolkit: Toolkit;

  beforeEach(() => {
    toolkit = createToolkit({ root, stateDir });
    writeFileSync(join(root, "a"), "old\n");
    writeFileSync(join(root, "large"), "old\n");
    truncateSync(join(root, "large"), LARGE_BYTES);
  });

  afterEach(() => toolkit.close());

  const first = "*** Add File: first/one\n+1";

  it.each<[string, ToolStep, string]>([
    ["read of a folder", read("dir"), "is_directory"],
    ["read of nothing", read("none"), "file_missing"],
    ["read with a NUL", read("a\0"), "path_has_nul"],
    ["write to a folder", write("dir", "new"), "is_directory"],
    ["write below a file", write("a/b", "new"), "path_invalid"],
    ["write with a NUL", write("a\0", "new"), "path_has_nul"],
    ["edit of a folder", edit("dir", "new"), "is_directory"],
    ["edit of nothing", edit("none", "new"), "file_missing"],
    ["edit with a NUL", edit("a\0", "new"), "path_has_nul"],
    ["edit of 100 MB", edit("large", "new"), "file_too_large"],
    ["a patch of a folder", apply(first, update("dir", "new")), "is_directory"],
    ["a patch of nothing", apply(first, update("none", "new")), "file_missing"],
    ["a patch with a NUL", apply(first, update("a\0", "new")), "path_has_nul"],
    ["a patch of 100 MB", apply(first, update("large", "new")), "file_too_large"],
    ["a deletion of 100 MB", apply(first, "*** Delete File: large"), "file_too_large"],
    ["a move to a folder", apply(first, "*** Update File: a\n*** Move to: dir"), "is_directory"],
    ["an addition below a file", apply(first, "*** Add File: a/b\n+1"), "path_invalid"],
  ])("%s is told by its reason, and nothing changes", async (_, step, reason) => {
    if (!("call" in step)) throw new Error("no call");
    const result = await toolkit.invoke({ id: "call", name: step.call, arguments: step.arguments });
    expect(result).toMatchObject({ isError: true, details: { reason } });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("old\n");
    expect(statSync(join(root, "large")).size).toBe(LARGE_BYTES);
    expect(readdirSync(root).sort()).toEqual(["a", "dir", "large"]);
    expect(readdirSync(join(root, "dir"))).toEqual([]);
  });

  it("a file of 20 MB is written, shown page by page, and replaced as a whole", async () => {
    const call = (name: string, given: Record<string, unknown>) =>
      toolkit.invoke({ id: "call", name, arguments: { path: "large", ...given } });
    const content = "old line\n".repeat(WRITTEN_BYTES / 9);
    expect(await call("write", { content })).toMatchObject({ isError: false });
    expect(statSync(join(root, "large")).size).toBe(content.length);
    const page = await call("read", { offset: 2_000_000 });
    expect(page).toMatchObject({ isError: false, details: { kind: "text", truncated: true } });
    expect(await call("write", { content: "new" })).toMatchObject({ isError: false });
    expect(readFileSync(join(root, "large"), "utf8")).toBe("new");
  });
});

describe("what a replaced file keeps", () => {
  const CALLS: Readonly<Record<string, ToolStep>> = {
    write: write("f", "new\n"),
    edit: edit("f", "new"),
    apply_patch: apply(update("f", "new")),
    "a patch that replaces": apply("*** Add File: f\n+new"),
  };
  const NOBODY = 65_534;

  it.each(Object.entries(CALLS))("%s keeps the mode, and the owner if it may", async (_, step) => {
    if (!("call" in step)) throw new Error("no call");
    const file = join(root, "f");
    writeFileSync(file, "old\n");
    chmodSync(file, 0o640);
    if (isPrivileged) chownSync(file, NOBODY, NOBODY);
    const before = statSync(file);
    const toolkit = createToolkit({ root, stateDir });
    try {
      const result = await toolkit.invoke({
        id: "one",
        name: step.call,
        arguments: step.arguments,
      });
      expect(result.isError, JSON.stringify(result.content)).toBe(false);
      expect(readFileSync(file, "utf8")).toBe("new\n");
      const { mode, uid, gid } = statSync(file);
      expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
      await toolkit.undo("one");
      expect(readFileSync(file, "utf8")).toBe("old\n");
      expect(statSync(file)).toMatchObject({ mode: before.mode, uid: before.uid, gid: before.gid });
    } finally {
      await toolkit.close();
    }
  });

  it("a moved file keeps them too, changed or not", async () => {
    const toolkit = createToolkit({ root, stateDir });
    try {
      for (const name of ["one", "two"]) {
        writeFileSync(join(root, name), "old\n");
        chmodSync(join(root, name), 0o751);
        if (isPrivileged) chownSync(join(root, name), NOBODY, NOBODY);
      }
      const input = patch(
        "*** Update File: one\n*** Move to: x/one",
        "*** Update File: two\n*** Move to: x/two\n@@\n-old\n+new",
      );
      const result = await toolkit.invoke({ id: "m", name: "apply_patch", arguments: { input } });
      expect(result.isError, JSON.stringify(result.content)).toBe(false);
      for (const name of ["x/one", "x/two"]) {
        const { mode, uid } = statSync(join(root, name));
        expect(mode & 0o777).toBe(0o751);
        if (isPrivileged) expect(uid).toBe(NOBODY);
      }
    } finally {
      await toolkit.close();
    }
  });
});
