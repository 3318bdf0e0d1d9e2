// Makes the changes of a patch, all or none: when a step fails, those before it are taken back.

import {
  createFolderMaker,
  type FileAccess,
  readAccessOf,
  toBytes,
} from "../../core/files/index.js";
import { abortError, type FsStat, isToolError, ToolError, toToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import type { Changes, OldFile, PatchPlace, Write } from "./working-files.js";

interface Step {
  readonly path: string;
  readonly before: Buffer | undefined;
  /** As it was when the patch was computed; undefined when an earlier step has changed it. */
  readonly stat?: FsStat | null | undefined;
  run(): Promise<void>;
  /** Without the signal of the call: a rollback is always completed. */
  revert(): Promise<void>;
  /** Takes away the folders that were made for it. */
  tidy?(): Promise<void>;
}

export async function commit(changes: Changes, place: PatchPlace): Promise<void> {
  const steps = toSteps(changes, place);
  const done: Step[] = [];
  for (const step of steps) {
    if (place.signal.aborted) throw await takeBack(done, abortError(place.signal));
    try {
      // With one step alone nothing of the patch can have come in between.
      if (steps.length > 1) await assertSame(step, place);
    } catch (error) {
      throw await takeBack(done, error);
    }
    try {
      await step.run();
    } catch (error) {
      if (!(await isAsBefore(step, place))) done.push(step);
      else await step.tidy?.();
      throw await takeBack(done, error);
    }
    done.push(step);
  }
}

/** New files first and removals last, so that nothing is lost in between. */
function toSteps({ writes, removals }: Changes, place: PatchPlace): Step[] {
  const { remove, rename } = place.bridge;
  const plain = writes.filter(({ from }) => !from);
  const fresh = plain.filter(({ file }) => !file.before);
  const replaced = plain.filter(({ file }) => file.before);
  // Without remove, what cannot be taken back comes last.
  const inOrder = remove ? [...fresh, ...replaced] : [...replaced, ...fresh];
  const toWriteStep = ({ file, now }: Write) =>
    createWriteStep({ ...file, after: now.bytes }, place);
  return [
    ...inOrder.map(toWriteStep),
    ...writes.flatMap((write) => {
      const { from } = write;
      if (!from) return [];
      return rename
        ? createMoveSteps({ ...write, from }, place)
        : [toWriteStep(write), createRemoveStep(from, place)];
    }),
    ...removals.map((file) => createRemoveStep(file, place)),
  ];
}

type WrittenFile = Pick<Step, "path" | "before" | "stat"> & { readonly after: Buffer };

function createWriteStep({ after, ...file }: WrittenFile, place: PatchPlace): Step {
  const { path, before } = file;
  const folders = createFolderMaker(path, place);
  return {
    ...file,
    async run() {
      if (!before) await folders.make();
      await place.bridge.writeFile({ ...at(path, place), data: after, signal: place.signal });
    },
    async revert() {
      await putBack(file, place);
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
}

function createRemoveStep(file: OldFile, place: PatchPlace): Step {
  let had: FileAccess = {};
  return {
    ...file,
    async run() {
      had = await readAccessOf(place.bridge, at(file.path, place));
      await removeFile(file.path, place);
    },
    revert: () => putBack({ ...file, had }, place),
  };
}

type Move = Write & { readonly from: OldFile };

function createMoveSteps(move: Move, place: PatchPlace): Step[] {
  const { file, from, now } = move;
  const renaming = createRenameStep(move, place);
  if (now.bytes.equals(from.before)) return [renaming];
  // The name first: a refused target costs nothing, and the rollback needs no space.
  const change = { path: file.path, before: from.before, after: now.bytes };
  return [renaming, createWriteStep(change, place)];
}

function createRenameStep({ file, from }: Move, place: PatchPlace): Step {
  const { path, before } = file;
  const { bridge, signal } = place;
  const folders = createFolderMaker(path, place);
  let had: FileAccess = {};
  const goBack = async () => {
    await bridge.rename?.({ ...at(path, place), to: from.path });
    if (before) await putBack({ path, before, had }, place);
  };
  return {
    ...file,
    async run() {
      if (!before) await folders.make();
      else had = await readAccessOf(bridge, at(path, place));
      await bridge.rename?.({ ...at(from.path, place), to: path, signal });
      if (await isMoved({ file, from }, place)) return;
      await goBack();
      throw new ToolError(
        "conflict",
        `"${toPrintable(from.path)}" is a symlink that would lead elsewhere from "${toPrintable(path)}", or it changed meanwhile; move the file that it leads to.`,
        { reason: "path_changed" },
      );
    },
    async revert() {
      await goBack();
      await folders.removeMade();
    },
    tidy: folders.removeMade,
  };
}

/** Whether a file that was moved is what it was; bridges may or may not keep its time. */
async function isMoved(
  { file: { path }, from }: Pick<Move, "file" | "from">,
  place: PatchPlace,
): Promise<boolean> {
  const now = await place.bridge.stat(at(path, place));
  if (now?.type !== "file" || now.size !== from.before.length) return false;
  if (now.mtimeMs === from.stat?.mtimeMs) return true;
  return from.before.equals(toBytes(await place.bridge.readFile(at(path, place)), path));
}

interface ToPutBack extends Pick<Step, "path" | "before"> {
  /** Of a file that was removed; one that is still there keeps its own. */
  readonly had?: FileAccess;
}

async function putBack({ path, before, had }: ToPutBack, place: PatchPlace): Promise<void> {
  if (before) await place.bridge.writeFile({ ...at(path, place), ...had, data: before });
  else await removeFile(path, { bridge: place.bridge, root: place.root });
}

async function removeFile(
  path: string,
  { bridge, root, signal }: Pick<PatchPlace, "bridge" | "root"> & { signal?: AbortSignal },
): Promise<void> {
  if (bridge.remove) return bridge.remove({ filePath: path, cwd: root, ...(signal && { signal }) });
  const message = `The bridge has no remove, so "${toPrintable(path)}" stays.`;
  throw new ToolError("unavailable", message, { reason: "remove_unavailable" });
}

function at(filePath: string, { root }: PatchPlace): { filePath: string; cwd: string } {
  return { filePath, cwd: root };
}

/** A link may make two names of a patch one file, and other programs write too. */
async function assertSame({ path, stat }: Step, { bridge, root, signal }: PatchPlace) {
  if (stat === undefined) return;
  const now = await bridge.stat({ filePath: path, cwd: root, signal });
  const isSame =
    now === null || stat === null
      ? now === stat
      : now.type === stat.type && now.size === stat.size && now.mtimeMs === stat.mtimeMs;
  if (isSame) return;
  throw new ToolError(
    "conflict",
    `"${toPrintable(path)}" changed while the patch was applied, or is another name of a file in it; read it again, and name each file once.`,
    { reason: "path_changed" },
  );
}

async function isAsBefore({ path, before }: Step, place: PatchPlace): Promise<boolean> {
  try {
    if ((await place.bridge.stat(at(path, place))) === null) return before === undefined;
    return before?.equals(toBytes(await place.bridge.readFile(at(path, place)), path)) ?? false;
  } catch {
    return false;
  }
}

/** Gives the error to throw: why it failed, and what became of what was written before. */
async function takeBack(done: readonly Step[], thrown: unknown): Promise<unknown> {
  const left = new Map<string, string>();
  for (const step of [...done].reverse()) {
    try {
      await step.revert();
    } catch (error) {
      left.set(step.path, toToolError(error).message);
    }
  }
  const cause = toToolError(thrown);
  const why = cause.message.endsWith(".") ? cause.message : `${cause.message}.`;
  if (left.size > 0) {
    const paths = [...left.keys()];
    const list = paths.map((path) => `"${toPrintable(path)}"`).join(", ");
    return new ToolError(
      "failed",
      `${why} What had been written before was put back, but not ${list} (${[...left.values()].join(" ")}); look at these files.`,
      { reason: "rollback_incomplete", cause, details: { rolledBack: false, left: paths } },
    );
  }
  const isFirst = done.length === 0;
  if (isFirst && isToolError(thrown)) return thrown;
  if (cause.code === "aborted") return cause;
  const outcome = isFirst
    ? "Nothing was written."
    : "Nothing of the patch remains: what had been written before was put back.";
  return new ToolError(isToolError(thrown) ? cause.code : "failed", `${why} ${outcome}`, {
    reason: cause.reason ?? "write_failed",
    cause: thrown,
    details: { ...cause.details, rolledBack: !isFirst },
  });
}
