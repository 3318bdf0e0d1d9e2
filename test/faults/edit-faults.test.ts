// Edits and writes of a real folder that go wrong, come at once, or are given up: a typed error, the
// old content, and no update lost.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeBridge, type FsBridge, ToolError } from "clawtools";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { edit } from "../../src/tools/edit/index.js";
import { write } from "../../src/tools/write/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const ROUNDS = 5;
const PARALLEL = 10;
const LARGE_BYTES = 100 * 1024 * 1024;

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "edit-faults-")));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const inRoot = (name: string) => join(root, name);
const readText = (name: string) => readFileSync(inRoot(name), "utf8");

function callEdit(bridge: FsBridge, params: Record<string, unknown>, signal?: AbortSignal) {
  return bindAlone(edit, { bridge, root }).execute("call", params, signal);
}

function callWrite(bridge: FsBridge, params: Record<string, unknown>, signal?: AbortSignal) {
  return bindAlone(write, { bridge, root }).execute("call", params, signal);
}

/** The real bridge with another way to do one thing. */
function bridgeWith(changes: (bridge: FsBridge) => Partial<FsBridge>): FsBridge {
  const { stat, readFile, mkdirp, writeFile } = createNodeBridge(root);
  const plain: FsBridge = { stat, readFile, mkdirp, writeFile };
  return { ...plain, ...changes(plain) };
}

describe("calls at the same time", () => {
  const names = Array.from({ length: PARALLEL }, (_, index) => `place${index}z`);

  it("lose no update of one file, by whatever bridge and spelling they come", async () => {
    mkdirSync(inRoot("real"));
    symlinkSync("real", inRoot("link"));
    const bridges = [createNodeBridge(root), createNodeBridge(root)];
    const spellings = ["real/f", "link/f", "./real/../real/f", inRoot("real/f")];
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(inRoot("real/f"), names.join("\n"));
      const calls = names.map((name, index) =>
        callEdit(bridges[index % 2] ?? createNodeBridge(root), {
          path: spellings[index % spellings.length],
          oldText: name,
          newText: `done ${name}`,
        }),
      );
      for (const result of await Promise.all(calls)) expect(result.isError).toBeUndefined();
      expect(readText("real/f")).toBe(names.map((name) => `done ${name}`).join("\n"));
    }
  });

  it("lose no update through a bridge that has only the four methods", async () => {
    const bridge = bridgeWith(() => ({}));
    writeFileSync(inRoot("f"), names.join("\n"));
    const calls = names.map((name) =>
      callEdit(bridge, { path: "f", oldText: name, newText: "done" }),
    );
    await Promise.all(calls);
    expect(readText("f")).toBe(names.map(() => "done").join("\n"));
  });

  it("are done in their order once the tools are loaded", async () => {
    const bridge = createNodeBridge(root);
    const tools = {
      write: bindAlone(write, { bridge, root }),
      edit: bindAlone(edit, { bridge, root }),
    };
    const put = (content: string) => tools.write.execute("call", { path: "f", content });
    const change = (oldText: string, newText: string) =>
      tools.edit.execute("call", { path: "f", oldText, newText });
    await put("zero");
    await change("zero", "0");
    const results = await Promise.all([put("one"), change("one", "2"), change("2", "3"), put("4")]);
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(readText("f")).toBe("4");
    expect(results[3]?.details).toMatchObject({ diff: expect.stringContaining("-3") });
  });
});

describe("calls that are given up", () => {
  it.each([
    ["edit", { path: "f", oldText: "old", newText: "new" }],
    ["write", { path: "f", content: "new" }],
  ])("%s writes nothing when it is aborted while it reads", async (name, params) => {
    writeFileSync(inRoot("f"), "old");
    const controller = new AbortController();
    const writes: string[] = [];
    // A bridge that takes no notice of the signal.
    const bridge = bridgeWith((plain) => ({
      readFile: ({ signal: _, ...path }) => {
        controller.abort();
        return plain.readFile(path);
      },
      writeFile: ({ signal: _, ...request }) => {
        writes.push(String(request.data));
        return plain.writeFile(request);
      },
    }));
    const call = name === "edit" ? callEdit : callWrite;
    await expect(call(bridge, params, controller.signal)).rejects.toMatchObject({
      name: "AbortError",
    });
    // Its turn comes only when the work of the aborted call has ended.
    await callWrite(bridge, { path: "f", content: "later" });
    expect(writes).toEqual(["later"]);
  });

  it("let the next one have its turn when they are aborted while they wait", async () => {
    writeFileSync(inRoot("f"), "a");
    const bridge = createNodeBridge(root);
    const controller = new AbortController();
    const first = callEdit(bridge, { path: "f", oldText: "a", newText: "b" });
    const given = callEdit(bridge, { path: "f", oldText: "b", newText: "x" }, controller.signal);
    const last = callEdit(bridge, { path: "f", oldText: "b", newText: "c" });
    controller.abort();
    await expect(given).rejects.toMatchObject({ name: "AbortError" });
    expect((await first).isError).toBeUndefined();
    expect((await last).isError).toBeUndefined();
    expect(readText("f")).toBe("c");
  });
});

describe("calls that cannot be done", () => {
  const change = { oldText: "old", newText: "new" };

  it.each([
    ["a folder", "folder", "invalid_input", "is_directory"],
    ["a missing file", "absent", "not_found", "file_missing"],
    ["a NUL in the path", "a\0b", "invalid_input", "path_has_nul"],
    ["a path out of the root", "../x", "denied", "path_outside_root"],
    ["a file of 100 MB", "large", "limit", "file_too_large"],
  ])("edit of %s is told by its code and reason", async (_, path, code, reason) => {
    mkdirSync(inRoot("folder"));
    writeFileSync(inRoot("large"), "");
    truncateSync(inRoot("large"), LARGE_BYTES);
    const result = await callEdit(createNodeBridge(root), { path, ...change });
    expect(result.details).toMatchObject({ status: "error", code, reason });
  });

  it.each(["enospc", "erofs", "eacces", "emfile"])(
    "a %s of the bridge is passed on, and the file stays",
    async (reason) => {
      writeFileSync(inRoot("f"), "old");
      const bridge = bridgeWith(() => ({
        writeFile: () =>
          Promise.reject(new ToolError("failed", `failed with ${reason}`, { reason })),
      }));
      for (const result of [
        await callEdit(bridge, { path: "f", ...change }),
        await callWrite(bridge, { path: "f", content: "new" }),
      ]) {
        expect(result).toMatchObject({ isError: true, details: { code: "failed", reason } });
      }
      expect(readText("f")).toBe("old");
    },
  );

  it("a file that can be written but not read is written, and the diff is left out", async () => {
    writeFileSync(inRoot("f"), "old");
    const bridge = bridgeWith(() => ({ readFile: () => Promise.reject(new Error("EACCES")) }));
    const result = await callWrite(bridge, { path: "f", content: "new" });
    expect(result.details).toEqual({
      path: "f",
      bytes: 3,
      created: false,
      changed: true,
      diffOmitted: "not_read",
    });
    expect(readText("f")).toBe("new");
  });
});
