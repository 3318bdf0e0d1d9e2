// The order of a write, watched at the real syncs and at the pins the bridge uses: nothing
// may be missing that a power cut or a moved folder would show.

import nodeFs, {
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createContainedBridge } from "./bridge.js";
import { createNodeBridge } from "./node-bridge.js";
import { type Pin, type PinPath, pinByDescriptor, pinByName } from "./pin.js";

let place: string;
let root: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "atomic-write-")));
  root = join(place, "root");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "old");
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(place, { recursive: true, force: true });
});

const isLinux = process.platform === "linux";
const pinPath = isLinux ? pinByDescriptor : pinByName;
const contentNow = () => readFileSync(join(root, "a.txt"), "utf8");

/** What every sync found: the kind and size of what is synced, and the file as others see it. */
function watchSyncs() {
  const { fsync } = nodeFs;
  const seen: Array<{ kind: string; size?: number; content: string }> = [];
  vi.spyOn(nodeFs, "fsync").mockImplementation((descriptor, done) => {
    const stats = fstatSync(descriptor);
    const kind = stats.isDirectory() ? "folder" : "file";
    seen.push({ kind, ...(stats.isFile() && { size: stats.size }), content: contentNow() });
    fsync(descriptor, done);
  });
  return seen;
}

/** A bridge whose pins are changed on the way. */
function bridgeWith(change: (pin: Pin) => Pin, before: PinPath = pinPath) {
  return createContainedBridge({
    base: root,
    container: root,
    pinPath: async (path) => change(await before(path)),
  });
}

describe("a write", () => {
  it("syncs the whole temporary file, then renames, then syncs the folder", async () => {
    const seen = watchSyncs();
    await createNodeBridge(root).writeFile({ filePath: "a.txt", data: "new!" });
    expect(seen).toEqual([
      { kind: "file", size: 4, content: "old" },
      { kind: "folder", content: "new!" },
    ]);
  });

  it("syncs each folder in which it makes a folder", async () => {
    const seen = watchSyncs();
    await createNodeBridge(root).writeFile({ filePath: "x/y/z.txt", data: "" });
    expect(seen.map(({ kind }) => kind)).toEqual(["folder", "folder", "file", "folder"]);
  });

  it("fails when the disk refuses the sync, with the old content in place", async () => {
    const refused = Object.assign(new Error("EIO"), { code: "EIO" });
    vi.spyOn(nodeFs, "fsync").mockImplementation((_descriptor, done) => done(refused));
    const write = createNodeBridge(root).writeFile({ filePath: "a.txt", data: "new" });
    await expect(write).rejects.toMatchObject({ code: "failed", reason: "eio" });
    expect(contentNow()).toBe("old");
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("asks whether the folder is still the same one, and leaves nothing when it is not", async () => {
    const bridge = bridgeWith((pin) => ({ ...pin, confirm: async () => false }));
    const write = bridge.writeFile({ filePath: "a.txt", data: "new" });
    await expect(write).rejects.toMatchObject({ code: "conflict", reason: "path_changed" });
    expect(contentNow()).toBe("old");
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });
});

describe.runIf(isLinux)("a root that moves during a call", () => {
  it("is noticed although its new place has everything the path asks for", async () => {
    let pins = 0;
    const bridge = bridgeWith(
      (pin) => pin,
      async (path) => {
        // The third pin is that of the file, below the root that was pinned and recognised.
        if (++pins === 3) {
          renameSync(root, join(place, "moved"));
          mkdirSync(root);
          writeFileSync(join(root, "target.txt"), "another root");
        }
        return pinPath(path);
      },
    );
    symlinkSync(join(root, "target.txt"), join(root, "link"));
    const reading = bridge.readFile({ filePath: "link" });
    await expect(reading).rejects.toMatchObject({ code: "failed", reason: "root_replaced" });
    expect(pins).toBe(3);
  });
});

describe("a chain of links that ends nowhere", () => {
  it.each([3, 30])("is followed through %i links before it counts as inside", async (links) => {
    const bridge = createNodeBridge(root);
    for (let index = 1; index < links; index++) {
      symlinkSync(`link-${index}`, join(root, `link-${index - 1}`));
    }
    symlinkSync("../outside/absent", join(root, `link-${links - 1}`));
    await expect(bridge.stat({ filePath: "link-0" })).rejects.toMatchObject({
      reason: "path_outside_root",
    });
  });
});
