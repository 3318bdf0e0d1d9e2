// One table for every bridge: the same call gives the same answer, the same mistake the same error.
// Run against the folder bridge in both its ways, the one made of memory, and one of four methods.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WAYS_TO_PIN } from "../../../test/fakes/ways-to-pin.js";
import type { WholeBridge } from "../../core/files/index.js";
import { type FsBridge, type FsPath, ToolError } from "../../core/index.js";
import { createContainedBridge } from "../fs/bridge.js";
import type { pinByName } from "../fs/pin.js";
import { createMemoryBridge } from "./memory-bridge.js";

const FILES: Readonly<Record<string, string>> = {
  "a.txt": "inside",
  "dir/b.txt": "below",
  "dir/deep/c.txt": "deep",
  ".git/config": "[core]",
  "empty.txt": "",
};
const LONG_NAME = "n".repeat(256);

interface Given {
  readonly bridge: FsBridge;
  /** All files and folders below the root, files with their text. */
  readonly tree: () => Promise<Record<string, string>>;
  readonly root: string;
}

type MakeBridge = (place: string) => Given;

const folderBridge =
  (pinPath: typeof pinByName): MakeBridge =>
  (place) => {
    const root = join(place, "root");
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const bridge = createContainedBridge({ base: root, container: root, pinPath });
    const tree = async () =>
      Object.fromEntries(
        readdirSync(root, { recursive: true, encoding: "utf8" })
          .sort()
          .map((name) => [name, statSync(join(root, name)).isFile() ? textOf(root, name) : "/"]),
      );
    return { bridge, tree, root };
  };

const textOf = (root: string, name: string) => readFileSync(join(root, name), "utf8");

const memoryBridge: MakeBridge = () => {
  const bridge = createMemoryBridge(FILES, { root: "/project" });
  return { bridge, tree: () => readTree(bridge, "."), root: "/project" };
};

async function readTree(bridge: WholeBridge, folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, type } of await bridge.list({ filePath: folder, limit: 1_000 })) {
    const path = posix.join(folder, name);
    if (type === "file") found[path] = String(await bridge.readFile({ filePath: path }));
    else Object.assign(found, { [path]: "/" }, await readTree(bridge, path));
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The bridge of the documents: the four methods and nothing else. */
const plainBridge: MakeBridge = () => {
  const files = new Map(Object.entries(FILES).map(([path, text]) => [`/${path}`, text]));
  const at = ({ filePath, cwd }: FsPath) => posix.resolve("/", cwd ?? "", filePath);
  const bridge: FsBridge = {
    async stat(path) {
      const text = files.get(at(path));
      return text === undefined ? null : { type: "file", size: text.length, mtimeMs: 0 };
    },
    async readFile(path) {
      const text = files.get(at(path));
      if (text !== undefined) return Buffer.from(text);
      throw new ToolError("not_found", "missing", { reason: "file_missing" });
    },
    async mkdirp() {
      // A map of paths needs no folders.
    },
    async writeFile(path) {
      files.set(at(path), String(path.data));
    },
  };
  return { bridge, tree: async () => Object.fromEntries(files), root: "/" };
};

const WHOLE: [string, MakeBridge][] = [
  ...WAYS_TO_PIN.map(({ way, pinPath }): [string, MakeBridge] => [way, folderBridge(pinPath)]),
  ["of memory", memoryBridge],
];
const ALL: [string, MakeBridge][] = [...WHOLE, ["of four methods", plainBridge]];

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "conformance-")));
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

const read = (bridge: FsBridge, filePath: string) =>
  bridge.readFile({ filePath }).then((bytes) => String(bytes));

describe.each(ALL)("a bridge %s", (_name, make) => {
  it("reads, writes, makes folders and says what is there", async () => {
    const { bridge } = make(place);
    expect(await read(bridge, "a.txt")).toBe("inside");
    expect(await bridge.stat({ filePath: "a.txt" })).toMatchObject({ type: "file", size: 6 });
    expect(await bridge.stat({ filePath: "absent.txt" })).toBeNull();
    await expect(bridge.readFile({ filePath: "absent.txt" })).rejects.toMatchObject({
      code: "not_found",
      reason: "file_missing",
    });
    await bridge.mkdirp({ filePath: "x/y" });
    await bridge.writeFile({ filePath: "x/y/z.txt", data: "made" });
    await bridge.writeFile({ filePath: "a.txt", data: Buffer.from("changed") });
    expect(await read(bridge, "x/y/z.txt")).toBe("made");
    expect(await read(bridge, "./x//y/../y/z.txt")).toBe("made");
    expect(await read(bridge, "a.txt")).toBe("changed");
  });
});

type Method = Exclude<keyof WholeBridge, "exclusive">;
type Row = [method: Method, request: object, outcome: string];

/** What each call answers; a text with a colon is `code:reason`, "" is success. */
const ROWS: Row[] = [
  ...(["stat", "readFile", "openFile", "list", "mkdirp", "writeFile", "remove"] as const).flatMap(
    (method): Row[] => [
      [method, { filePath: "../x" }, "denied:path_outside_root"],
      [method, { filePath: "/etc/passwd" }, "denied:path_outside_root"],
      [method, { filePath: "dir/../../x" }, "denied:path_outside_root"],
      [method, { filePath: "a\0" }, "invalid_input:path_has_nul"],
      [method, { filePath: "" }, "invalid_input:path_invalid"],
      [method, { filePath: " " }, "invalid_input:path_invalid"],
      [method, { filePath: "~/x" }, "invalid_input:path_invalid"],
      [method, { filePath: "file:///x" }, "invalid_input:path_invalid"],
      [method, { filePath: LONG_NAME }, "invalid_input:path_invalid"],
      [method, { filePath: "d/".repeat(2_100) }, "invalid_input:path_invalid"],
      [method, { filePath: "\ud800" }, "invalid_input:path_invalid"],
      [method, { filePath: 5 }, "invalid_input:path_invalid"],
      [method, { filePath: "a.txt", cwd: 5 }, "invalid_input:path_invalid"],
      [method, { filePath: "a.txt", signal: AbortSignal.abort() }, "aborted:undefined"],
    ],
  ),
  ["stat", { filePath: "dir" }, ""],
  ["stat", { filePath: "a.txt/" }, ""],
  ["readFile", { filePath: "dir" }, "invalid_input:is_directory"],
  ["readFile", { filePath: "." }, "invalid_input:is_directory"],
  ["readFile", { filePath: "absent" }, "not_found:file_missing"],
  ["readFile", { filePath: "a.txt/x" }, "invalid_input:path_invalid"],
  ["readFile", { filePath: "a.txt/x/y" }, "invalid_input:path_invalid"],
  ["readFile", { filePath: "a.txt/" }, "invalid_input:path_invalid"],
  ["readFile", { filePath: "absent/" }, "not_found:file_missing"],
  ["readFile", { filePath: "b.txt", cwd: "dir" }, ""],
  ["readFile", { filePath: "../a.txt", cwd: "dir/deep/.." }, ""],
  ["readFile", { filePath: "a.txt", cwd: "" }, ""],
  ["readFile", { filePath: "x", cwd: "../outside" }, "denied:path_outside_root"],
  ["readFile", { filePath: ".git/config" }, ""],
  ["openFile", { filePath: "dir" }, "invalid_input:is_directory"],
  ["openFile", { filePath: "absent" }, "not_found:file_missing"],
  ["openFile", { filePath: "a.txt/x" }, "invalid_input:path_invalid"],
  ["list", { filePath: "a.txt" }, "invalid_input:not_directory"],
  ["list", { filePath: "absent" }, "not_found:file_missing"],
  ["list", { filePath: "a.txt/x" }, "invalid_input:path_invalid"],
  ["list", { filePath: "dir", limit: -1 }, "invalid_input:limit_invalid"],
  ["list", { filePath: "dir", limit: 1.5 }, "invalid_input:limit_invalid"],
  ["list", { filePath: "dir", limit: "5" }, "invalid_input:limit_invalid"],
  ["list", { filePath: "dir", limit: 0 }, ""],
  ["list", { filePath: ".git" }, ""],
  ["mkdirp", { filePath: "a.txt" }, "invalid_input:path_invalid"],
  ["mkdirp", { filePath: "a.txt/x" }, "invalid_input:path_invalid"],
  ["mkdirp", { filePath: "dir/" }, ""],
  ["mkdirp", { filePath: "." }, ""],
  ["mkdirp", { filePath: ".git/hooks" }, "denied:path_protected"],
  ["mkdirp", { filePath: "sub/.git" }, "denied:path_protected"],
  ["writeFile", { filePath: "dir" }, "invalid_input:is_directory"],
  ["writeFile", { filePath: "new/" }, "invalid_input:is_directory"],
  ["writeFile", { filePath: "." }, "invalid_input:is_directory"],
  ["writeFile", { filePath: "a.txt/x" }, "invalid_input:path_invalid"],
  ["writeFile", { filePath: "a.txt", data: 5 }, "invalid_input:data_invalid"],
  ["writeFile", { filePath: ".git/config" }, "denied:path_protected"],
  ["writeFile", { filePath: ".git/hooks/pre-commit" }, "denied:path_protected"],
  ["writeFile", { filePath: "sub/.GIT/x" }, "denied:path_protected"],
  ["writeFile", { filePath: ".git" }, "denied:path_protected"],
  ["writeFile", { filePath: "clawtools.json" }, "denied:path_protected"],
  ["writeFile", { filePath: "x/exec-approvals.json" }, "denied:path_protected"],
  ["writeFile", { filePath: ".clawtools/x" }, "denied:path_protected"],
  ["writeFile", { filePath: ".gitignore" }, ""],
  ["writeFile", { filePath: ".github/workflows/ci.yml" }, ""],
  ["remove", { filePath: "dir" }, "invalid_input:is_directory"],
  ["remove", { filePath: "dir/" }, "invalid_input:is_directory"],
  ["remove", { filePath: "." }, "invalid_input:is_directory"],
  ["remove", { filePath: "absent" }, "not_found:file_missing"],
  ["remove", { filePath: "absent/x" }, "not_found:file_missing"],
  ["remove", { filePath: "a.txt/x" }, "not_found:file_missing"],
  ["remove", { filePath: ".git/config" }, "denied:path_protected"],
  ["remove", { filePath: ".git/absent" }, "denied:path_protected"],
  ["rename", { filePath: "absent", to: "x" }, "not_found:file_missing"],
  ["rename", { filePath: "dir", to: "x" }, "invalid_input:is_directory"],
  ["rename", { filePath: "a.txt", to: "dir" }, "invalid_input:is_directory"],
  ["rename", { filePath: "a.txt", to: "new/" }, "invalid_input:is_directory"],
  ["rename", { filePath: "a.txt", to: "." }, "invalid_input:is_directory"],
  ["rename", { filePath: "a.txt", to: "empty.txt/x" }, "invalid_input:path_invalid"],
  ["rename", { filePath: "a.txt", to: "../x" }, "denied:path_outside_root"],
  ["rename", { filePath: "../x", to: "x" }, "denied:path_outside_root"],
  ["rename", { filePath: "a.txt", to: "b\0" }, "invalid_input:path_has_nul"],
  ["rename", { filePath: "a.txt" }, "invalid_input:path_invalid"],
  ["rename", { filePath: "a.txt", to: LONG_NAME }, "invalid_input:path_invalid"],
  ["rename", { filePath: "a.txt", to: ".git/hooks/x" }, "denied:path_protected"],
  ["rename", { filePath: ".git/config", to: "x" }, "denied:path_protected"],
  ["rename", { filePath: "a.txt", to: "a.txt" }, ""],
  ["rename", { filePath: "a.txt", to: "./dir/../a.txt" }, ""],
];

const FILL = { data: "new", limit: 10 };

describe.each(WHOLE)("a bridge %s", (_name, make) => {
  it.each(ROWS)("%s of %j answers %j", async (method, request, outcome) => {
    const { bridge, tree } = make(place);
    const before = await tree();
    const answer = await callAs(bridge, method, { ...FILL, ...request }).then(
      (value: unknown) => ({ value, text: "" }),
      (error: unknown) => ({ value: error, text: describeError(error) }),
    );
    expect(answer.text).toBe(outcome);
    if (outcome !== "") expect(await tree()).toEqual(before);
    await closeIfOpen(answer.value);
  });

  it("lists names with their kinds, up to the limit", async () => {
    const { bridge } = make(place);
    const names = (await bridge.list?.({ filePath: "dir", limit: 10 })) ?? [];
    expect([...names].sort((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { name: "b.txt", type: "file" },
      { name: "deep", type: "directory" },
    ]);
    expect(await bridge.list?.({ filePath: ".", limit: 2 })).toHaveLength(2);
  });

  it("removes a file and nothing else", async () => {
    const { bridge, tree } = make(place);
    const { "dir/b.txt": _removed, ...rest } = await tree();
    await bridge.remove?.({ filePath: "dir/b.txt" });
    expect(await tree()).toEqual(rest);
    expect(await bridge.stat({ filePath: "dir/b.txt" })).toBeNull();
  });

  it.each([
    ["new/deep", undefined],
    ["new", "folder_not_empty"],
    ["dir", "folder_not_empty"],
    ["a.txt", "not_directory"],
    ["missing", "file_missing"],
    ["a.txt/x", "file_missing"],
    [".", "path_invalid"],
    ["..", "path_outside_root"],
    [".git", "path_protected"],
  ])("removes a folder only when it is empty: %s, %s", async (filePath, reason) => {
    const { bridge, tree } = make(place);
    await bridge.mkdirp({ filePath: "new/deep" });
    const before = await tree();
    const outcome = await bridge.removeFolder?.({ filePath }).catch((error: unknown) => error);
    expect(outcome instanceof ToolError ? outcome.reason : outcome).toBe(reason);
    const { "new/deep": _removed, ...rest } = before;
    expect(await tree()).toEqual(reason === undefined ? rest : before);
  });

  it("moves a file into new folders, over a file, and from cwd", async () => {
    const { bridge, tree, root } = make(place);
    await bridge.rename?.({ filePath: "a.txt", to: "new/folder/a.txt" });
    expect(await tree()).toMatchObject({ "new/folder/a.txt": "inside" });
    expect(await tree()).not.toHaveProperty(["a.txt"]);
    await bridge.rename?.({ filePath: "folder/a.txt", to: "../dir/b.txt", cwd: `${root}/new` });
    expect(await read(bridge, "dir/b.txt")).toBe("inside");
    expect(await bridge.stat({ filePath: "new/folder/a.txt" })).toBeNull();
  });

  it("opens a file that stays itself while its name gets another content", async () => {
    const { bridge } = make(place);
    const file = await bridge.openFile?.({ filePath: "dir/deep/c.txt" });
    if (!file) throw new Error("no openFile");
    await bridge.writeFile({ filePath: "dir/deep/c.txt", data: "another one" });
    const into = Buffer.alloc(10, "-");
    expect(file.stat).toMatchObject({ type: "file", size: 4 });
    expect(await file.read(into, 1)).toBe(3);
    expect(String(into)).toBe("eep-------");
    expect(await file.read(into, 4)).toBe(0);
    expect(await file.read(into, 4_000_000)).toBe(0);
    expect(await file.read(new Uint8Array(0), 0)).toBe(0);
    await file.close();
    await file.close();
    await expect(file.read(into, 0)).rejects.toMatchObject({ reason: "file_closed" });
  });

  it("runs exclusive work alone, whatever the spelling, and lends it a bridge", async () => {
    const { bridge } = make(place);
    const order: string[] = [];
    const [path, other] = [{ filePath: "dir/b.txt" }, { filePath: "./dir/deep/../b.txt" }];
    const work = bridge.exclusive?.([path], async (own) => {
      const before = await own.readFile(other);
      await own.exclusive?.([path, other], async (inner) => {
        await inner.writeFile({ ...path, data: `${before}+1` });
      });
      order.push("work");
    });
    const late = read(bridge, other.filePath).then((text) => order.push(text));
    await Promise.all([work, late]);
    expect(order).toEqual(["work", "below+1"]);
  });

  it("a lent bridge queues like any other once the work is over", async () => {
    const { bridge } = make(place);
    const path = { filePath: "a.txt" };
    const lent = await bridge.exclusive?.([path], async (own) => own);
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const order: string[] = [];
    const work = bridge.exclusive?.([path], async (own) => {
      await gate;
      await own.writeFile({ ...path, data: "after" });
      order.push("work");
    });
    const reading = lent?.readFile(path).then((bytes) => order.push(String(bytes)));
    await lent?.readFile({ filePath: "dir/b.txt" });
    open();
    await Promise.all([work, reading]);
    expect(order).toEqual(["work", "after"]);
  });
});

/** As from plain JavaScript: what is given need not be what the method takes. */
async function callAs(bridge: FsBridge, method: Method, request: object): Promise<unknown> {
  const called: unknown = bridge[method];
  if (typeof called !== "function") throw new Error(`no ${method}`);
  return Reflect.apply(called, bridge, [request]);
}

function describeError(error: unknown): string {
  if (!(error instanceof ToolError)) return `foreign: ${String(error)}`;
  return `${error.code}:${error.reason}`;
}

async function closeIfOpen(value: unknown): Promise<void> {
  if (typeof value === "object" && value !== null && "close" in value) {
    if (typeof value.close === "function") await value.close();
  }
}
