// The disk is full, read-only, forbidden, or no descriptor is left: every call answers with a typed
// error, what was there stays as it was, nothing half-made is left, and work goes on afterwards.

import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createNodeBridge } from "clawtools";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BridgeCall, CallOutcome } from "./bridge-calls.js";
import { buildProgram } from "./run-and-kill.js";

const run = promisify(execFile);
const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const TIMEOUT_MS = 240_000;

const isLinux = process.platform === "linux";
const isPrivileged = process.getuid?.() === 0;

let place: string;
let root: string;
let built: string;
let program: string;

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "bridge-faults-"));
  program = join(built, "bridge-calls.mjs");
  await buildProgram(new URL("./bridge-calls.ts", import.meta.url), program);
});
afterAll(() => rmSync(built, { recursive: true }));

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "bridge-faults-")));
  root = join(place, "root");
  mkdirSync(join(root, "dir"), { recursive: true });
});

afterEach(() => {
  chmodSync(join(root, "dir"), 0o755);
  rmSync(place, { recursive: true, force: true });
});

interface Calls {
  /** Its last word is a shell script that ends in `exec "$@"`. */
  readonly prefix: readonly string[];
  readonly calls: readonly BridgeCall[];
  readonly folder: string;
}

function runCalls(prefix: readonly string[], calls: readonly BridgeCall[]) {
  return runCallsIn({ prefix, calls, folder: root });
}

async function runCallsIn({ prefix, calls, folder }: Calls) {
  const command = [...prefix, process.execPath, program, folder, JSON.stringify(calls)];
  const [file = "", ...args] = command;
  const { stdout } = await run(file, args, { timeout: TIMEOUT_MS, encoding: "utf8" });
  const outcomes: CallOutcome[] = JSON.parse(stdout);
  expect(outcomes.filter(({ leaked }) => leaked !== 0)).toEqual([]);
  return outcomes.map(({ outcome, text }) => (text === undefined ? outcome : text));
}

/** In a file system of its own over the root, which vanishes with the process. */
const mounted = (options: string, script: string) => [
  "unshare",
  "-Urm",
  "sh",
  "-c",
  `mount -t tmpfs -o ${options} none "${root}" && cd "${root}" && ${script} && cd / && exec "$@"`,
  "sh",
];

describe.runIf(isLinux)("a full disk", () => {
  const SETUP = "mkdir dir && printf old > a.txt && printf old > dir/b.txt";

  it("keeps the old content, leaves nothing, and work goes on when there is room again", async () => {
    const fill = `dd if=/dev/zero of=ballast bs=1024 count=192 2>/dev/null`;
    const outcomes = await runCalls(mounted("size=256k", `${SETUP} && ${fill}`), [
      { method: "writeFile", filePath: "a.txt", size: 200 * KIBIBYTE },
      { method: "writeFile", filePath: "new.txt", size: 100 * MEBIBYTE },
      { method: "readFile", filePath: "a.txt" },
      { method: "list", filePath: "." },
      { method: "rename", filePath: "a.txt", to: "dir/b.txt" },
      { method: "readFile", filePath: "dir/b.txt" },
      { method: "remove", filePath: "ballast" },
      { method: "writeFile", filePath: "dir/b.txt", size: 100 * KIBIBYTE },
      { method: "readFile", filePath: "dir/b.txt" },
    ]);
    const written = "n".repeat(20);
    const done = "done";
    expect(outcomes).toEqual(["enospc", "enospc", "old", done, done, "old", done, done, written]);
  });

  it("without room for one more name refuses new files and folders, and nothing else", async () => {
    // The root, the folder and four files; a write needs one more for a moment.
    const more = `printf x > c.txt && printf x > d.txt`;
    const outcomes = await runCalls(mounted("nr_inodes=7", `${SETUP} && ${more}`), [
      { method: "writeFile", filePath: "new.txt", size: 1 },
      { method: "writeFile", filePath: "more.txt", size: 1 },
      { method: "mkdirp", filePath: "deep/er" },
      { method: "writeFile", filePath: "a.txt", size: 1 },
      { method: "rename", filePath: "c.txt", to: "no/where.txt" },
      { method: "readFile", filePath: "a.txt" },
      { method: "readFile", filePath: "c.txt" },
      { method: "remove", filePath: "d.txt" },
      { method: "writeFile", filePath: "a.txt", size: 1 },
    ]);
    const full = "enospc";
    expect(outcomes).toEqual(["done", full, full, full, full, "old", "x", "done", "done"]);
  });

  it("that is read-only is read, and every change is refused", async () => {
    const script = `${SETUP} && mount -o remount,ro none "${root}"`;
    const outcomes = await runCalls(mounted("size=256k", script), [
      { method: "writeFile", filePath: "a.txt", size: 1 },
      { method: "writeFile", filePath: "new.txt", size: 1 },
      { method: "mkdirp", filePath: "deep/er" },
      { method: "remove", filePath: "a.txt" },
      { method: "rename", filePath: "a.txt", to: "moved.txt" },
      { method: "readFile", filePath: "a.txt" },
      { method: "list", filePath: "dir" },
    ]);
    expect(outcomes).toEqual([...Array(5).fill("erofs"), "old", "done"]);
  });
});

describe.runIf(isLinux)("what this user may not do", () => {
  /** A privileged user may do everything, so the program runs without privileges. */
  const humbly = isPrivileged ? ["unshare", "-U", "env"] : ["env"];

  it("is refused by name, and nothing changes", async () => {
    for (const name of ["a.txt", "dir/b.txt", "secret"]) writeFileSync(join(root, name), "old");
    chmodSync(join(root, "a.txt"), 0o444);
    chmodSync(join(root, "secret"), 0o000);
    chmodSync(join(root, "dir"), 0o555);
    mkdirSync(join(root, "drop"));
    chmodSync(join(root, "drop"), 0o300);
    const outcomes = await runCalls(humbly, [
      { method: "writeFile", filePath: "a.txt", size: 1 },
      { method: "remove", filePath: "a.txt" },
      { method: "rename", filePath: "dir/b.txt", to: "a.txt" },
      { method: "writeFile", filePath: "dir/b.txt", size: 1 },
      { method: "writeFile", filePath: "dir/new.txt", size: 1 },
      { method: "mkdirp", filePath: "dir/new" },
      { method: "remove", filePath: "dir/b.txt" },
      { method: "rename", filePath: "dir/b.txt", to: "x.txt" },
      { method: "readFile", filePath: "secret" },
      { method: "openFile", filePath: "secret" },
      { method: "list", filePath: "drop" },
      { method: "readFile", filePath: "a.txt" },
      { method: "writeFile", filePath: "drop/new.txt", size: 1 },
    ]);
    expect(outcomes).toEqual([...Array(11).fill("eacces"), "old", "done"]);
    chmodSync(join(root, "secret"), 0o600);
    for (const name of ["a.txt", "dir/b.txt", "secret"]) {
      expect(readFileSync(join(root, name), "utf8")).toBe("old");
    }
    expect(readdirSync(root).sort()).toEqual(["a.txt", "dir", "drop", "secret"]);
    expect(readdirSync(join(root, "dir"))).toEqual(["b.txt"]);
  });
});

describe.runIf(isLinux)("no descriptor left", () => {
  const limited = ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"];
  const METHODS = [
    "readFile",
    "openFile",
    "list",
    "writeFile",
    "mkdirp",
    "rename",
    "remove",
  ] as const;

  const expectWhole = async (method: (typeof METHODS)[number], folder: string) => {
    const before = "n".repeat(3);
    const after = { writeFile: "n".repeat(5), rename: "file_missing", remove: "file_missing" };
    const filePath = method === "list" ? "." : method === "mkdirp" ? "m/n" : "a.txt";
    writeFileSync(join(folder, "a.txt"), before);
    // From none to more than any call takes.
    const tries = Array.from({ length: 10 }, (_, descriptors) => descriptors);
    const calls = tries.flatMap((descriptors): BridgeCall[] => [
      { method, filePath, to: "moved.txt", size: 5, descriptors },
      { method: "readFile", filePath: "a.txt" },
      { method: "writeFile", filePath: "a.txt", size: before.length },
    ]);
    const outcomes = await runCallsIn({ prefix: limited, calls, folder });
    const called = outcomes.filter((_, index) => index % 3 === 0);
    const found = outcomes.filter((_, index) => index % 3 === 1);
    const success = method === "readFile" ? before : "done";
    expect(new Set(called), method).toEqual(new Set(["emfile", success]));
    expect([called[0], called.at(-1)], method).toEqual(["emfile", success]);
    const changed = new Map(Object.entries(after)).get(method) ?? before;
    expect(found, method).toEqual(called.map((outcome) => (outcome === "done" ? changed : before)));
    expect(readdirSync(folder).filter((name) => name.endsWith(".clawtmp"))).toEqual([]);
  };

  it("each method works or changes nothing, at every number of them", async () => {
    // Side by side, each in a process and a folder of its own: a call waits for descriptors.
    await Promise.all(
      METHODS.map((method) => {
        mkdirSync(join(place, method));
        return expectWhole(method, join(place, method));
      }),
    );
  });
});

describe("a large file", () => {
  it("of 100 MB is written, read, moved and removed, byte for byte", async () => {
    const bridge = createNodeBridge(root);
    const data = Buffer.alloc(100 * MEBIBYTE, "0123456789abcdef\r\n\u00e9\xff", "latin1");
    await bridge.writeFile({ filePath: "large.bin", data });
    await bridge.rename({ filePath: "large.bin", to: "dir/moved.bin" });
    const found = await bridge.readFile({ filePath: "dir/moved.bin" });
    expect(Buffer.compare(found, data)).toBe(0);
    await bridge.remove({ filePath: "dir/moved.bin" });
    expect(readdirSync(join(root, "dir"))).toEqual([]);
  });

  it.each([
    ["nothing", ""],
    ["one byte", "\0"],
    ["CRLF and no final line end", "a\r\nb\r\nc"],
    ["a byte order mark", "\uFEFFtext\n"],
  ])("of %s is kept as it is", async (_what, text) => {
    const bridge = createNodeBridge(root);
    await bridge.writeFile({ filePath: "dir/x", data: text });
    expect(readFileSync(join(root, "dir/x"), "utf8")).toBe(text);
    expect(String(await bridge.readFile({ filePath: "dir/x" }))).toBe(text);
  });
});
