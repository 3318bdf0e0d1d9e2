// A place to try patches: files in memory behind a bridge that offers every method a patch may use,
// and fails where it is told to.

import { posix } from "node:path";
import type { FsBridge, FsPath, ToolResult } from "clawtools";
import { applyPatch } from "../../src/tools/apply_patch/index.js";
import { bindAlone } from "../fakes/resolve-tool.js";

const ROOT = "/project";

export type Files = Readonly<Record<string, string | Buffer>>;

export interface PatchBench {
  readonly bridge: FsBridge & Required<Pick<FsBridge, "remove" | "rename">>;
  /** Every mutation that was tried, such as "write a.txt". */
  readonly steps: string[];
  /** Files by their path in the root, as bytes. */
  list(): Record<string, Buffer>;
  /** The same as text. */
  read(): Record<string, string>;
}

export interface BenchOptions {
  /** Called before each mutation, with how many came before; what it throws, the bridge throws. */
  readonly before?: (step: string, count: number) => void;
}

export function createPatchBench(files: Files, options: BenchOptions = {}): PatchBench {
  const contents = new Map<string, { data: Buffer; mtimeMs: number }>();
  const steps: string[] = [];
  let clock = 0;
  const place = ({ filePath, cwd }: FsPath) => posix.resolve(ROOT, cwd ?? "", filePath);
  const nameOf = (path: string) => posix.relative(ROOT, path);
  const put = (path: string, data: string | Buffer) =>
    contents.set(path, { data: Buffer.from(data), mtimeMs: ++clock });
  const find = (path: string) => {
    const found = contents.get(path);
    if (found) return found;
    throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
  };
  const begin = (step: string) => {
    options.before?.(step, steps.length);
    steps.push(step);
  };
  for (const [path, data] of Object.entries(files)) put(place({ filePath: path }), data);
  return {
    steps,
    list: () =>
      Object.fromEntries([...contents].sort().map(([path, { data }]) => [nameOf(path), data])),
    read: () =>
      Object.fromEntries(
        [...contents].sort().map(([path, { data }]) => [nameOf(path), String(data)]),
      ),
    bridge: {
      async stat(path) {
        const found = contents.get(place(path));
        if (found) return { type: "file", size: found.data.length, mtimeMs: found.mtimeMs };
        const isFolder = [...contents.keys()].some((name) => name.startsWith(`${place(path)}/`));
        return isFolder ? { type: "directory", size: 0, mtimeMs: 0 } : null;
      },
      readFile: async (path) => find(place(path)).data,
      mkdirp: async () => undefined,
      async writeFile(path) {
        begin(`write ${nameOf(place(path))}`);
        put(place(path), path.data);
      },
      async remove(path) {
        begin(`remove ${nameOf(place(path))}`);
        find(place(path));
        contents.delete(place(path));
      },
      async rename(path) {
        const to = place({ ...path, filePath: path.to });
        begin(`rename ${nameOf(place(path))} ${nameOf(to)}`);
        const { data } = find(place(path));
        contents.delete(place(path));
        put(to, data);
      },
    },
  };
}

export interface PatchRun {
  readonly result: ToolResult;
  readonly text: string;
  /** Facts of the result, of which each test knows its own. */
  readonly details: Record<string, unknown>;
}

/** `body` is what stands between `*** Begin Patch` and `*** End Patch`. */
export function runBody(bridge: FsBridge, body: string, signal?: AbortSignal): Promise<PatchRun> {
  return runInput(bridge, `*** Begin Patch\n${body}\n*** End Patch`, signal);
}

export async function runInput(
  bridge: FsBridge,
  input: string,
  signal?: AbortSignal,
): Promise<PatchRun> {
  const tool = bindAlone(applyPatch, { bridge, root: ROOT });
  const result = await tool.execute("call", { input }, signal);
  const [block] = result.content;
  const details = typeof result.details === "object" ? { ...result.details } : {};
  return { result, text: block?.type === "text" ? block.text : "", details };
}

/** One file `f` and the hunks of an update of it. */
export async function patchFile(content: string | Buffer, hunks: string) {
  const bench = createPatchBench({ f: content });
  const run = await runBody(bench.bridge, `*** Update File: f\n${hunks}`);
  return { ...run, after: bench.read().f, bytes: bench.list().f, steps: bench.steps };
}
