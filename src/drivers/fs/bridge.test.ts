// The bridge over a real folder: what it reads, writes, refuses, and leaves behind.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WAYS_TO_PIN } from "../../../test/fakes/ways-to-pin.js";
import { type FsBridge, ToolInputError } from "../../core/index.js";
import { createContainedBridge } from "./bridge.js";
import { createNodeBridge } from "./node-bridge.js";

let place: string;
let root: string;
let outside: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "fs-bridge-")));
  root = join(place, "root");
  outside = join(place, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(root, "a.txt"), "inside");
  writeFileSync(join(outside, "secret"), "secret");
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const refusal = (code: string, reason: string) => expect.objectContaining({ code, reason });
const OUTSIDE = ["denied", "path_outside_root"] as const;

const isLinux = process.platform === "linux";

describe.each(WAYS_TO_PIN)("a bridge that pins $way", ({ pinPath }) => {
  let bridge: FsBridge;
  beforeEach(() => {
    bridge = createContainedBridge({ base: root, container: root, pinPath });
  });
  const read = async (filePath: string) => String(await bridge.readFile({ filePath }));

  it("reads, writes, makes folders and tells what is there", async () => {
    await bridge.writeFile({ filePath: "x/y/z.txt", data: "new" });
    expect(await read("x/y/z.txt")).toBe("new");
    await bridge.mkdirp({ filePath: "p/q/r/" });
    expect(await bridge.stat({ filePath: "p/q/r" })).toMatchObject({ type: "directory" });
    await bridge.mkdirp({ filePath: "p/q/r" });
    await bridge.mkdirp({ filePath: "." });
    expect(await bridge.stat({ filePath: "x/y/z.txt" })).toEqual({
      type: "file",
      size: 3,
      mtimeMs: expect.closeTo(statSync(join(root, "x/y/z.txt")).mtimeMs, 1),
    });
  });

  it("takes relative paths from cwd, absolute ones inside the root, and names that begin with dots", async () => {
    mkdirSync(join(root, "sub"));
    writeFileSync(join(root, "sub", "..foo"), "dots");
    expect(String(await bridge.readFile({ filePath: "..foo", cwd: join(root, "sub") }))).toBe(
      "dots",
    );
    expect(String(await bridge.readFile({ filePath: "../a.txt", cwd: join(root, "sub") }))).toBe(
      "inside",
    );
    expect(await read(join(root, "a.txt"))).toBe("inside");
    await expect(bridge.stat({ filePath: "a.txt", cwd: outside })).rejects.toEqual(
      refusal(...OUTSIDE),
    );
  });

  it("follows links inside the root, and a write through one keeps the link", async () => {
    symlinkSync("a.txt", join(root, "link"));
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "folder"));
    expect(await read("link")).toBe("inside");
    await bridge.writeFile({ filePath: "link", data: "through" });
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("through");
    await bridge.writeFile({ filePath: "folder/n/new.txt", data: "n" });
    expect(readFileSync(join(root, "real/n/new.txt"), "utf8")).toBe("n");
  });

  it("refuses every way out and touches nothing there", async () => {
    symlinkSync(join(outside, "secret"), join(root, "file-link"));
    symlinkSync(outside, join(root, "folder-link"));
    symlinkSync(join(outside, "absent"), join(root, "broken-link"));
    symlinkSync("broken-link", join(root, "broken-chain"));
    const ways = [
      "../outside/secret",
      join(outside, "secret"),
      "file-link",
      "file-link/below",
      "folder-link/secret",
      "folder-link/absent",
      "folder-link/absent/deeper",
      "broken-link",
      "broken-link/below",
      "broken-chain",
      "absent/../../outside/secret",
    ];
    for (const filePath of ways) {
      const tries = await Promise.allSettled([
        bridge.stat({ filePath }),
        bridge.readFile({ filePath }),
        bridge.writeFile({ filePath, data: "x" }),
        bridge.mkdirp({ filePath: `${filePath}/new` }),
      ]);
      const refused = { status: "rejected", reason: refusal(...OUTSIDE) };
      expect(tries, filePath).toEqual([refused, refused, refused, refused]);
    }
    expect(readdirSync(outside)).toEqual(["secret"]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("refuses a way out that was one to a place inside a moment ago", async () => {
    await bridge.writeFile({ filePath: "sub/secret", data: "inside" });
    expect(await read("sub/secret")).toBe("inside");
    rmSync(join(root, "sub"), { recursive: true });
    symlinkSync(outside, join(root, "sub"));
    const filePath = "sub/secret";
    const tries = await Promise.allSettled([
      bridge.stat({ filePath }),
      bridge.readFile({ filePath }),
      bridge.writeFile({ filePath, data: "x" }),
    ]);
    const refused = { status: "rejected", reason: refusal(...OUTSIDE) };
    expect(tries).toEqual([refused, refused, refused]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("tells missing files, folders, pipes and bad paths apart", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("absent", join(root, "broken"));
    symlinkSync("circle", join(root, "circle"));
    const table: [filePath: string, reading: string, writing: string][] = [
      ["absent/x", "file_missing", ""],
      ["a.txt/x", "path_invalid", "path_invalid"],
      ["a.txt/", "path_invalid", "is_directory"],
      [".", "is_directory", "is_directory"],
      ["new/", "file_missing", "is_directory"],
      ["new/.", "file_missing", "is_directory"],
      ["pipe", "not_regular_file", "not_regular_file"],
      ["broken", "file_missing", "not_regular_file"],
      ["circle", "path_invalid", "path_invalid"],
      ["a\0b", "path_has_nul", "path_has_nul"],
      ["", "path_invalid", "path_invalid"],
      [" \t", "path_invalid", "path_invalid"],
      ["~/x", "path_invalid", "path_invalid"],
      ["~someone/x", "path_invalid", "path_invalid"],
      ["file:///etc/passwd", "path_invalid", "path_invalid"],
      ["n".repeat(256), "path_invalid", "path_invalid"],
      [`${"d/".repeat(2_048)}x`, "path_invalid", "path_invalid"],
    ];
    for (const [filePath, reading, writing] of table) {
      await expect(bridge.readFile({ filePath }), filePath).rejects.toMatchObject({
        reason: reading,
      });
      if (writing === "") continue;
      await expect(bridge.writeFile({ filePath, data: "" }), filePath).rejects.toMatchObject({
        reason: writing,
      });
    }
    expect(await bridge.stat({ filePath: "absent" })).toBeNull();
    expect(await bridge.stat({ filePath: "a.txt/x" })).toBeNull();
    expect(await bridge.stat({ filePath: "broken" })).toBeNull();
    expect(await bridge.stat({ filePath: "pipe" })).toMatchObject({ type: "other" });
    expect(readdirSync(root).sort()).toEqual(["a.txt", "broken", "circle", "pipe"]);
  });

  it("keeps the mode of a file, never writes in place, and leaves other hard links alone", async () => {
    chmodSync(join(root, "a.txt"), 0o755);
    linkSync(join(root, "a.txt"), join(outside, "same-inode"));
    const before = statSync(join(root, "a.txt")).ino;
    await bridge.writeFile({ filePath: "a.txt", data: Buffer.from([0, 255, 10]) });
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o755);
    expect(statSync(join(root, "a.txt")).ino).not.toBe(before);
    expect([...(await bridge.readFile({ filePath: "a.txt" }))]).toEqual([0, 255, 10]);
    expect(readFileSync(join(outside, "same-inode"), "utf8")).toBe("inside");
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("refuses a file over 1 GiB before it takes memory for it", async () => {
    truncateSync(join(root, "a.txt"), 1024 ** 3 + 1);
    await expect(bridge.readFile({ filePath: "a.txt" })).rejects.toEqual(
      refusal("limit", "file_too_large"),
    );
  });

  it("writes names as long as the file system takes", async () => {
    const filePath = "é".repeat(127);
    await bridge.writeFile({ filePath, data: "long" });
    expect(await read(filePath)).toBe("long");
  });

  it("does not follow a root that was replaced", async () => {
    expect(await read("a.txt")).toBe("inside");
    renameSync(root, join(place, "moved"));
    await expect(bridge.readFile({ filePath: "a.txt" })).rejects.toMatchObject({
      reason: "root_replaced",
    });
    symlinkSync(outside, root);
    await expect(bridge.readFile({ filePath: "secret" })).rejects.toMatchObject({
      reason: "root_replaced",
    });
    rmSync(root);
    renameSync(outside, root);
    await expect(bridge.writeFile({ filePath: "secret", data: "x" })).rejects.toMatchObject({
      reason: "root_replaced",
    });
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("secret");
  });

  it("stops before the rename when the call is aborted", async () => {
    const signal = AbortSignal.abort();
    await expect(bridge.writeFile({ filePath: "a.txt", data: "x", signal })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(await read("a.txt")).toBe("inside");
  });

  it("whole contents survive forty writes of one file at once", async () => {
    const contents = Array.from({ length: 40 }, (_, index) => String(index).repeat(5_000));
    await Promise.all(contents.map((data) => bridge.writeFile({ filePath: "a.txt", data })));
    expect(contents).toContain(await read("a.txt"));
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });
});

describe("createNodeBridge", () => {
  it("accepts a root that is a link, by either spelling, also when the link changes later", async () => {
    const alias = join(place, "alias");
    symlinkSync(root, alias);
    const bridge = createNodeBridge(alias);
    for (const filePath of ["a.txt", join(alias, "a.txt"), join(root, "a.txt")]) {
      expect(String(await bridge.readFile({ filePath }))).toBe("inside");
    }
    rmSync(alias);
    symlinkSync(outside, alias);
    expect(String(await bridge.readFile({ filePath: "a.txt" }))).toBe("inside");
    expect(await bridge.stat({ filePath: "secret" })).toBeNull();
  });

  it("says that the root is missing, and finds it once it is there", async () => {
    const late = join(place, "late");
    const bridge = createNodeBridge(late);
    await expect(bridge.stat({ filePath: "x" })).rejects.toMatchObject({
      code: "not_found",
      reason: "root_missing",
      message: expect.stringContaining(late),
    });
    mkdirSync(late);
    expect(await bridge.stat({ filePath: "x" })).toBeNull();
  });

  it("lifts containment only when asked to", async () => {
    const bridge = createNodeBridge(root, { allowOutside: true });
    expect(String(await bridge.readFile({ filePath: "../outside/secret" }))).toBe("secret");
    await bridge.writeFile({ filePath: join(outside, "made"), data: "made" });
    expect(readFileSync(join(outside, "made"), "utf8")).toBe("made");
    expect(String(await bridge.readFile({ filePath: "a.txt" }))).toBe("inside");
  });

  it("names the path as the caller gave it, escaped, and nothing of the host", async () => {
    const bridge = createNodeBridge(root);
    const error = await bridge.readFile({ filePath: "no\n\u001b[2Jfile" }).catch((e: unknown) => e);
    expect(String(error)).toContain('"no\\u{000A}\\u{001B}[2Jfile"');
    expect(String(error)).not.toContain(place);
    expect(String(error)).not.toContain("/proc");
  });

  it.each([
    ["no argument", undefined],
    ["null", null],
    ["text", "a.txt"],
    ["no path", {}],
    ["a number as path", { filePath: 5 }],
    ["half a character in the path", { filePath: "\ud800.txt", data: "x" }],
    ["half a character in cwd", { filePath: "x", cwd: "\udc00", data: "x" }],
    ["a number as cwd", { filePath: "a.txt", cwd: 5, data: "x" }],
    ["a NUL in cwd", { filePath: "a.txt", cwd: "a\0b", data: "x" }],
  ])("refuses %s as input, in every method", async (_what, path) => {
    const bridge = createNodeBridge(root);
    for (const name of ["stat", "readFile", "mkdirp", "writeFile"] as const) {
      const call = Promise.resolve(Reflect.apply(bridge[name], bridge, [path]));
      await expect(call, name).rejects.toBeInstanceOf(ToolInputError);
    }
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it.each([5, undefined, null, {}, [1, 2]])("refuses %j as data", async (data) => {
    const bridge = createNodeBridge(root);
    const call = Promise.resolve(
      Reflect.apply(bridge.writeFile, bridge, [{ filePath: "new/x", data }]),
    );
    await expect(call).rejects.toBeInstanceOf(ToolInputError);
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("writes any bytes that are a Uint8Array", async () => {
    const bridge = createNodeBridge(root);
    const data = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
    await Reflect.apply(bridge.writeFile, bridge, [{ filePath: "x", data }]);
    expect([...readFileSync(join(root, "x"))]).toEqual([1, 2]);
  });

  it.runIf(isLinux)("leaves no descriptor open, whether calls succeed or fail", async () => {
    symlinkSync(outside, join(root, "out"));
    const bridge = createNodeBridge(root);
    const round = () =>
      Promise.allSettled([
        bridge.readFile({ filePath: "a.txt" }),
        bridge.readFile({ filePath: "out/secret" }),
        bridge.readFile({ filePath: "absent/deep" }),
        bridge.stat({ filePath: "." }),
        bridge.writeFile({ filePath: "n/m/x.txt", data: "x" }),
        bridge.writeFile({ filePath: "out/x.txt", data: "x" }),
        bridge.writeFile({ filePath: "a.txt/x", data: "x" }),
        bridge.mkdirp({ filePath: "out/x" }),
      ]);
    await round();
    const before = readdirSync("/proc/self/fd").length;
    for (let rounds = 0; rounds < 25; rounds++) await round();
    expect(readdirSync("/proc/self/fd").length).toBe(before);
    expect(existsSync(join(outside, "x.txt"))).toBe(false);
  });
});
