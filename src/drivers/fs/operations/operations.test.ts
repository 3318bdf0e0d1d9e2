// What the folder bridge does with links, pipes, hard links and other file systems when it opens,
// lists, moves and removes; what every bridge does alike is in the conformance table.

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
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WAYS_TO_PIN } from "../../../../test/fakes/ways-to-pin.js";
import type { WholeBridge } from "../../../core/files/index.js";
import { createContainedBridge } from "../bridge.js";
import { createNodeBridge } from "../node-bridge.js";
import { createOwnership, toTemporaryName } from "../temporaries/temporary-owner.js";

const isLinux = process.platform === "linux";
const OTHER_FILE_SYSTEM = ["/dev/shm", "/run"].find(
  (folder) => existsSync(folder) && statSync(folder).dev !== statSync(tmpdir()).dev,
);

let place: string;
let root: string;
let outside: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "operations-")));
  root = join(place, "root");
  outside = join(place, "outside");
  for (const folder of ["root/dir", "outside"]) mkdirSync(join(place, folder), { recursive: true });
  writeFileSync(join(root, "a.txt"), "inside");
  writeFileSync(join(root, "dir/b.txt"), "below");
  writeFileSync(join(outside, "secret"), "secret");
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const at = (path: string) => join(root, path);
const textAt = (path: string) => readFileSync(at(path), "utf8");
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "done",
    (error: { reason?: string }) => error.reason,
  );

describe.each(WAYS_TO_PIN)("a bridge that pins $way", ({ pinPath }) => {
  let bridge: WholeBridge;
  beforeEach(() => {
    bridge = createContainedBridge({ base: root, container: root, pinPath });
  });

  it("removes a link as a link: what it leads to stays, a broken one goes too", async () => {
    symlinkSync("a.txt", at("link"));
    symlinkSync("dir", at("folder"));
    symlinkSync("nothing", at("broken"));
    for (const filePath of ["link", "folder", "broken"]) await bridge.remove({ filePath });
    expect(readdirSync(root).sort()).toEqual(["a.txt", "dir"]);
    expect(readdirSync(at("dir"))).toEqual(["b.txt"]);
  });

  it("refuses to open, list, remove or move what leads out, and changes nothing", async () => {
    symlinkSync(join(outside, "secret"), at("file-link"));
    symlinkSync(outside, at("folder-link"));
    symlinkSync(join(outside, "absent"), at("broken-link"));
    for (const filePath of ["file-link", "folder-link/secret", "folder-link/new", "broken-link"]) {
      const calls = [
        bridge.openFile({ filePath }),
        bridge.list({ filePath, limit: 5 }),
        bridge.remove({ filePath }),
        bridge.rename({ filePath, to: "x" }),
        bridge.rename({ filePath: "a.txt", to: filePath }),
        bridge.exclusive([{ filePath }], async () => undefined),
      ];
      const reasons = await Promise.all(calls.map(reasonOf));
      expect(reasons, filePath).toEqual(Array(calls.length).fill("path_outside_root"));
    }
    expect(await reasonOf(bridge.list({ filePath: "folder-link", limit: 5 }))).toBe(
      "path_outside_root",
    );
    expect(readdirSync(root)).toHaveLength(5);
    expect(readdirSync(outside)).toEqual(["secret"]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
  });

  it("refuses pipes at once, and leaves them", async () => {
    execFileSync("mkfifo", [at("pipe")]);
    const calls = [
      bridge.openFile({ filePath: "pipe" }),
      bridge.remove({ filePath: "pipe" }),
      bridge.rename({ filePath: "pipe", to: "x" }),
      bridge.rename({ filePath: "a.txt", to: "pipe" }),
    ];
    expect(await Promise.all(calls.map(reasonOf))).toEqual(Array(4).fill("not_regular_file"));
    expect(readdirSync(root).sort()).toEqual(["a.txt", "dir", "pipe"]);
  });

  it("lists a link as what it leads to, and as other what leads nowhere or out", async () => {
    symlinkSync("a.txt", at("file"));
    symlinkSync("dir", at("folder"));
    symlinkSync("nothing", at("broken"));
    symlinkSync("circle", at("circle"));
    symlinkSync(outside, at("out"));
    writeFileSync(at(toTemporaryName("a.txt", createOwnership().nextMark())), "half");
    const entries = await bridge.list({ filePath: ".", limit: 100 });
    expect(Object.fromEntries(entries.map(({ name, type }) => [name, type]))).toEqual({
      "a.txt": "file",
      dir: "directory",
      file: "file",
      folder: "directory",
      broken: "other",
      circle: "other",
      out: "other",
    });
    expect(await bridge.list({ filePath: "folder", limit: 1 })).toEqual([
      { name: "b.txt", type: "file" },
    ]);
  });

  it("moves a link as a link, and a file through a link to the place the link names", async () => {
    symlinkSync("a.txt", at("link"));
    await bridge.rename({ filePath: "link", to: "moved" });
    expect(readlinkSync(at("moved"))).toBe("a.txt");
    await bridge.rename({ filePath: "dir/b.txt", to: "moved" });
    expect(lstatSync(at("moved")).isSymbolicLink()).toBe(true);
    expect(textAt("a.txt")).toBe("below");
    expect(existsSync(at("dir/b.txt"))).toBe(false);
  });

  it("loses nothing when both names mean one file", async () => {
    symlinkSync("a.txt", at("link"));
    await bridge.rename({ filePath: "link", to: "a.txt" });
    expect(existsSync(at("link"))).toBe(false);
    expect(textAt("a.txt")).toBe("inside");
    symlinkSync("a.txt", at("link"));
    await bridge.rename({ filePath: "a.txt", to: "link" });
    expect([textAt("a.txt"), readlinkSync(at("link"))]).toEqual(["inside", "a.txt"]);
    linkSync(at("a.txt"), at("hard"));
    await bridge.rename({ filePath: "hard", to: "a.txt" });
    expect(existsSync(at("hard"))).toBe(false);
    expect(textAt("a.txt")).toBe("inside");
  });

  it("a moved file keeps its mode and its other hard links, and lets those of the old one be", async () => {
    chmodSync(at("a.txt"), 0o751);
    linkSync(at("a.txt"), join(outside, "other-name"));
    linkSync(at("dir/b.txt"), join(outside, "old-content"));
    await bridge.rename({ filePath: "a.txt", to: "dir/b.txt" });
    expect(statSync(at("dir/b.txt")).mode & 0o777).toBe(0o751);
    expect(readFileSync(join(outside, "other-name"), "utf8")).toBe("inside");
    expect(readFileSync(join(outside, "old-content"), "utf8")).toBe("below");
  });

  it("stops a change before it is made when the call is aborted", async () => {
    const signal = AbortSignal.abort();
    const calls = [
      bridge.remove({ filePath: "a.txt", signal }),
      bridge.rename({ filePath: "a.txt", to: "x", signal }),
      bridge.mkdirp({ filePath: "x", signal }),
    ];
    const codes = calls.map((call) => call.catch((error: { code?: string }) => error.code));
    expect(await Promise.all(codes)).toEqual(Array(3).fill("aborted"));
    expect(readdirSync(root).sort()).toEqual(["a.txt", "dir"]);
  });
});

describe("openFile", () => {
  it("reads parts of a large file without loading it", async () => {
    const bytes = Buffer.alloc(3_000_000, "0123456789");
    writeFileSync(at("large"), bytes);
    const file = await createNodeBridge(root).openFile({ filePath: "large" });
    const into = new Uint8Array(1_000_000);
    let total = 0;
    for (let got = 1; got > 0; total += got) {
      got = await file.read(into, total);
      expect(Buffer.compare(into.subarray(0, got), bytes.subarray(total, total + got))).toBe(0);
    }
    expect(total).toBe(bytes.length);
    await file.close();
  });

  it("does not close under a read that is on its way, and ends with the call's signal", async () => {
    writeFileSync(at("large"), Buffer.alloc(8_000_000, 1));
    const controller = new AbortController();
    const bridge = createNodeBridge(root);
    const file = await bridge.openFile({ filePath: "large", signal: controller.signal });
    const into = new Uint8Array(8_000_000);
    const [got] = await Promise.all([file.read(into, 0), file.close()]);
    expect([got, into.at(-1)]).toEqual([8_000_000, 1]);
    const again = await bridge.openFile({ filePath: "large", signal: controller.signal });
    controller.abort();
    await expect(again.read(into, 0)).rejects.toMatchObject({ code: "aborted" });
    await again.close();
  });

  it.runIf(isLinux)("leaves no descriptor open, whatever went wrong", async () => {
    symlinkSync(outside, at("out"));
    const bridge = createNodeBridge(root);
    const round = async () => {
      const file = await bridge.openFile({ filePath: "a.txt" });
      await Promise.allSettled([
        bridge.openFile({ filePath: "dir" }),
        bridge.openFile({ filePath: "out/secret" }),
        bridge.list({ filePath: ".", limit: 1 }),
        bridge.list({ filePath: "a.txt", limit: 1 }),
        bridge.remove({ filePath: "dir" }),
        bridge.rename({ filePath: "a.txt", to: "dir" }),
        bridge.rename({ filePath: "dir/b.txt", to: "out/x" }),
        bridge.rename({ filePath: "a.txt", to: ".git/x" }),
        bridge.exclusive([{ filePath: "a.txt" }, { filePath: "no/where" }], async () => undefined),
        file.close(),
      ]);
    };
    await round();
    const before = readdirSync("/proc/self/fd").length;
    for (let rounds = 0; rounds < 25; rounds++) await round();
    expect(readdirSync("/proc/self/fd").length).toBe(before);
    expect(textAt("a.txt")).toBe("inside");
  });
});

describe("allowOutside", () => {
  it("opens, lists, moves and removes outside of the root, and writes whole files there", async () => {
    const bridge = createNodeBridge(root, { allowOutside: true });
    expect(await bridge.list({ filePath: "../outside", limit: 9 })).toEqual([
      { name: "secret", type: "file" },
    ]);
    await bridge.rename({ filePath: join(outside, "secret"), to: "came.txt" });
    expect(textAt("came.txt")).toBe("secret");
    await bridge.writeFile({ filePath: "../outside/new/x", data: "one" });
    const before = statSync(join(outside, "new/x")).ino;
    linkSync(join(outside, "new/x"), join(outside, "other-name"));
    await bridge.writeFile({ filePath: "../outside/new/x", data: "two" });
    expect(statSync(join(outside, "new/x")).ino).not.toBe(before);
    expect(readFileSync(join(outside, "other-name"), "utf8")).toBe("one");
    await bridge.remove({ filePath: join(outside, "new/x") });
    expect(readdirSync(join(outside, "new"))).toEqual([]);
  });

  it.runIf(OTHER_FILE_SYSTEM !== undefined)(
    "says that two places are on different file systems",
    async () => {
      const other = mkdtempSync(join(`${OTHER_FILE_SYSTEM}`, "operations-"));
      try {
        const bridge = createNodeBridge(root, { allowOutside: true });
        const call = bridge.rename({ filePath: "a.txt", to: join(other, "a.txt") });
        await expect(call).rejects.toMatchObject({ code: "failed", reason: "exdev" });
        expect(textAt("a.txt")).toBe("inside");
        expect(readdirSync(other)).toEqual([]);
      } finally {
        rmSync(other, { recursive: true });
      }
    },
  );
});
