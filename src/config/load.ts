// Loads the config file. A file that cannot be used is a failure, never an empty config.

import { isUtf8 } from "node:buffer";
import { basename, dirname, relative } from "node:path";
import { toPrintable } from "../lib/printable.js";
import { splitByteOrderMark } from "../lib/unicode-text.js";
import { isObject } from "./check-value.js";
import { type ConfigFile, type FileRequest, followIncludes, type Part } from "./file/include.js";
import { parseText } from "./file/parse-text.js";
import {
  type ConfigPlace,
  type FoundConfigPath,
  findConfigPath,
  type ReadBytes,
  readBytes,
  realPathOf,
} from "./file/paths.js";
import { fillVariables } from "./file/variables.js";
import { copyPlain, parseConfigFrom } from "./parse.js";
import {
  type ConfigProblem,
  createProblemList,
  type KeyPath,
  type ProblemList,
  showKeyPath,
} from "./problem.js";
import type { ClawtoolsConfig } from "./schema.js";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_TOTAL_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_PATH_CHARS = 4_096;
/** Files of other programs whose sections mean the same here. */
const FOREIGN_FILES: ReadonlySet<string> = new Set(["openclaw.json", "clawdbot.json"]);

interface LoadedFacts {
  readonly path: string | undefined;
  readonly exists: boolean;
  readonly problems: ConfigProblem[];
  readonly includes: readonly string[];
  readonly raw: string | undefined;
  /** SHA-256 of the main file and of what it includes; "" when nothing was read. */
  readonly hash: string;
  readonly parts: readonly Part[];
  readonly written: ReadonlyMap<string, string>;
  readonly unfilled: ReadonlySet<string>;
}

/** Without `ok` the config cannot be used: callers that need one must stop. */
export type LoadedConfig = LoadedFacts &
  (
    | { readonly ok: true; readonly config: ClawtoolsConfig }
    | {
        readonly ok: false;
        readonly config: undefined;
        /** What could be read, to look for further problems; nothing may run under it. */
        readonly draft: Record<string, unknown> | undefined;
      }
  );

interface ReadFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly text: string | undefined;
}

export interface DraftFile {
  readonly path: string;
  readonly bytes: Buffer;
}

type Read = (path: string) => Promise<ReadBytes>;

interface Loading {
  readonly read: Read;
  readonly problems: ProblemList;
  readonly files: ReadFile[];
  readonly parts: Part[];
  readonly parse: (text: string) => unknown;
}

/** Never throws for what a file holds or lacks: that is in `problems`. */
export async function loadConfig(place: ConfigPlace): Promise<LoadedConfig> {
  return await loadConfigBy(place, readOwnBytes);
}

export async function loadDraft(
  place: ConfigPlace,
  drafts: readonly DraftFile[],
): Promise<LoadedConfig> {
  return await loadConfigBy(place, async (path) => {
    const real = (await realPathOf(path)) ?? path;
    const draft = drafts.find((one) => one.path === real);
    return draft === undefined ? await readOwnBytes(path) : { kind: "bytes", bytes: draft.bytes };
  });
}

function readOwnBytes(path: string): Promise<ReadBytes> {
  return readBytes(path, MAX_FILE_BYTES);
}

async function loadConfigBy(place: ConfigPlace, read: Read): Promise<LoadedConfig> {
  const found = findConfigPath(place);
  if (found === undefined) return withoutFile(undefined);
  const content = await read(found.path);
  if (content.kind === "missing") return withoutFile(found);
  const { parse } = (await import("json5")).default;
  const loading: Loading = { read, problems: createProblemList(), files: [], parts: [], parse };
  const value = await readWhole({ path: found.path, content }, loading);
  const files = await describeFiles(loading);
  return check(value, { facts: { path: found.path, exists: true, ...files }, loading, place });
}

interface CheckInput {
  readonly facts: Omit<LoadedFacts, "problems" | "written" | "unfilled">;
  readonly loading: Loading;
  readonly place: ConfigPlace;
}

/** A variable that is missing hides no other problem; only a file that cannot be read does. */
function check(value: unknown, { facts, loading, place }: CheckInput): LoadedConfig {
  const isWhole = !loading.problems.hasErrors();
  const filled = fillVariables(value, {
    place: { ...place, cwd: dirname(facts.path ?? "") },
    problems: loading.problems,
  });
  const { written, unfilled } = filled;
  const draft = isObject(filled.value) ? filled.value : undefined;
  if (!isWhole) {
    const problems = loading.problems.list();
    return { ...facts, written, unfilled, ok: false, config: undefined, draft, problems };
  }
  const parsed = parseConfigFrom(filled.value, {
    hiddenPaths: filled.paths,
    origin: FOREIGN_FILES.has(basename(facts.path ?? "").toLowerCase()) ? "foreign" : "own",
  });
  const found = parsed.problems.filter(({ path }) => !unfilled.has(path));
  const problems = [...loading.problems.list(), ...found];
  return parsed.ok && !loading.problems.hasErrors()
    ? { ...facts, written, unfilled, ok: true, config: parsed.config, problems }
    : { ...facts, written, unfilled, ok: false, config: undefined, draft, problems };
}

function withoutFile(found: FoundConfigPath | undefined): LoadedConfig {
  const facts = {
    path: found?.path,
    exists: false,
    includes: [],
    raw: undefined,
    hash: "",
    parts: [],
    written: new Map<string, string>(),
    unfilled: new Set<string>(),
  };
  if (found?.named !== true) return { ...facts, ok: true, config: {}, problems: [] };
  const message = `the file ${showFile(found.path)} is not there`;
  const problems: ConfigProblem[] = [{ path: "", severity: "error", message }];
  return { ...facts, ok: false, config: undefined, draft: undefined, problems };
}

async function readWhole(
  main: { readonly path: string; readonly content: ReadBytes },
  loading: Loading,
): Promise<unknown> {
  const path = (await realPathOf(main.path)) ?? main.path;
  const request = { path, namedAt: [], under: [], content: main.content };
  const file = toConfigFile(request, loading);
  if (file === undefined) return undefined;
  return followIncludes(file, {
    folder: dirname(path),
    problems: loading.problems,
    realPath: realPathOf,
    read: async (included) => {
      const content = await loading.read(included.path);
      return toConfigFile({ ...included, content }, loading);
    },
  });
}

function toConfigFile(
  request: FileRequest & { readonly content: ReadBytes },
  loading: Loading,
): ConfigFile | undefined {
  const { path, namedAt, under, content } = request;
  const { problems, files } = loading;
  const fail = (at: KeyPath, why: string): undefined => {
    const message = `${showFile(path)} ${why}`;
    problems.add({ path: showKeyPath(at), severity: "error", message });
  };
  if (content.kind === "missing") return fail(namedAt, "is not there");
  if (content.kind === "unusable") return fail(namedAt, content.why);
  const { bytes } = content;
  if (countBytes(files) + bytes.length > MAX_TOTAL_BYTES) {
    return fail(namedAt, `makes all files together larger than ${MAX_TOTAL_BYTES} bytes`);
  }
  const text = isUtf8(bytes) ? bytes.toString() : undefined;
  files.push({ path, bytes, text });
  if (text === undefined) return fail(namedAt, "is not UTF-8 text");
  const parsed = parseText(splitByteOrderMark(text).body, loading.parse);
  if (!parsed.ok) {
    for (const { path: inside, message } of parsed.faults) fail([...under, ...inside], message);
    return undefined;
  }
  const value = copyPlain(parsed.value, { problems, path: under });
  if (value === undefined) return undefined;
  loading.parts.push({ path, under, value });
  return { path, value };
}

function countBytes(files: readonly ReadFile[]): number {
  return files.reduce((total, { bytes }) => total + bytes.length, 0);
}

async function describeFiles({
  files,
  parts,
}: Loading): Promise<Pick<LoadedFacts, "includes" | "raw" | "hash" | "parts">> {
  const [main, ...included] = files;
  if (main === undefined) return { includes: [], raw: undefined, hash: "", parts };
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(main.bytes);
  for (const { path, bytes } of included) {
    hash.update(`\0${relative(dirname(main.path), path)}\0`).update(bytes);
  }
  const includes = included.map(({ path }) => path);
  return { includes, raw: main.text, hash: hash.digest("hex"), parts };
}

function showFile(path: string): string {
  return `"${toPrintable(path, MAX_SHOWN_PATH_CHARS)}"`;
}
