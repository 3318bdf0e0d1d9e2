// The config of a running gateway: what is in force, its file shown without secrets, changes to it,
// and which of them need a restart.

import { isDeepStrictEqual } from "node:util";
import {
  type ConfigEdit,
  configUnusable,
  loadDraft,
  replaceFile,
  writeConfigEdits,
} from "../../config/edit/index.js";
import {
  type ClawtoolsConfig,
  type ConfigPlace,
  configPath,
  hideSecrets,
  type LoadedConfig,
  loadConfig,
  valueAsWritten,
} from "../../config/index.js";
import { ToolError, ToolInputError } from "../../core/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { findRuleErrors } from "./boot-guard.js";
import {
  assertKnown,
  listChanged,
  listEdits,
  listPatchEdits,
  parseRaw,
  splitLists,
} from "./edits.js";

/** Replaces secrets in what clients see; sent back, it means "unchanged". */
const HIDDEN = "__CLAWTOOLS_HIDDEN__";
const MAX_REMEMBERED = 16;
const MAX_SHOWN_PATHS = 20;

export interface ConfigWrite {
  readonly kind: "set" | "apply" | "patch";
  readonly raw: string;
  readonly baseHash?: string | undefined;
}

interface ConfigFileOptions {
  /** undefined: the config was given as an object, and cannot be changed. */
  readonly place: ConfigPlace | undefined;
  readonly loaded: LoadedConfig | undefined;
  readonly config: ClawtoolsConfig;
  /** Why `config` is not what the file says. */
  readonly message?: string | undefined;
  /** Throws for a config that a gateway could not start with. */
  readonly assertStarts: (config: ClawtoolsConfig) => Promise<unknown>;
  /** Called before the config that is in force is left. */
  readonly keepGood: () => Promise<void>;
}

export type ConfigFile = ReturnType<typeof createConfigFile>;

export function createConfigFile(options: ConfigFileOptions) {
  const { place } = options;
  let inForce = options.config;
  let files = listFiles(options.loaded);
  let appliedHash = options.loaded?.hash ?? "";
  let problem = options.message;
  const seen = new Map<string, unknown>();
  let writing: Promise<unknown> = Promise.resolve();

  async function toUsable(loaded: LoadedConfig): Promise<ClawtoolsConfig> {
    if (!loaded.ok) throw configUnusable(loaded.problems);
    await beforeChange(loaded.config);
    return loaded.config;
  }

  async function beforeChange(next: ClawtoolsConfig): Promise<void> {
    const faults = findRuleErrors(next, inForce);
    if (faults.length > 0) throw configUnusable(faults);
    if (!isDeepStrictEqual(next.gateway, inForce.gateway)) await options.assertStarts(next);
    await options.keepGood();
  }

  function remember(loaded: LoadedConfig): unknown {
    const shown = show(loaded);
    seen.delete(loaded.hash);
    seen.set(loaded.hash, shown);
    const [oldest] = seen.keys();
    if (seen.size > MAX_REMEMBERED && oldest !== undefined) seen.delete(oldest);
    return shown;
  }

  function assertFresh(loaded: LoadedConfig, baseHash: string | undefined): void {
    if (!loaded.exists && baseHash === undefined) return;
    if (baseHash === undefined) {
      throw new ToolInputError("config base hash required; re-run config.get and retry", {
        reason: "base_hash_required",
      });
    }
    if (baseHash === loaded.hash) return;
    const before = seen.get(baseHash);
    const paths = before === undefined ? [] : listChanged(before, show(loaded));
    const what =
      paths.length === 0 ? "" : ` (changed: ${paths.slice(0, MAX_SHOWN_PATHS).join(", ")})`;
    throw new ToolError(
      "conflict",
      `config changed since last load; re-run config.get and retry${what}`,
      { reason: "base_hash_stale", details: { changedPaths: paths } },
    );
  }

  async function writeNow(write: ConfigWrite) {
    if (place === undefined) throw notAFile();
    const loaded = await loadConfig(place);
    assertFresh(loaded, write.baseHash);
    const wanted = await parseRaw(write.raw);
    const shown = remember(loaded);
    const changes =
      write.kind === "patch" ? listPatchEdits(shown, wanted) : listEdits(shown, wanted);
    const edits = splitLists(shown, changes);
    assertRestorable(edits);
    assertKnown(edits);
    const isVerbatim = write.kind !== "patch" && loaded.parts.length <= 1 && !hasMark(wanted);
    if (isVerbatim) await writeWhole(place, { loaded, text: write.raw, beforeChange });
    else if (edits.length > 0) await writeEdits(place, edits);
    const reloaded = await reloadNow(place);
    const [path = ""] = files;
    const shownNow = seen.get(appliedHash);
    const changedPaths = changes.map((change) => change.path);
    // `reloaded`: the write is in force already, so that no one else applies it.
    return { path, hash: appliedHash, changedPaths, config: shownNow, reloaded };
  }

  async function reloadNow(at: ConfigPlace): Promise<readonly string[]> {
    const loaded = await loadConfig(at);
    // Seen before: it does not prove that the gateway works with it.
    if (loaded.hash === appliedHash && problem === undefined) return [];
    const loadedConfig = await toUsable(loaded).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      problem = `The changed config is not used; the one before stays in force. ${why}`;
      throw error;
    });
    const before = inForce;
    inForce = loadedConfig;
    problem = undefined;
    files = listFiles(loaded);
    appliedHash = loaded.hash;
    remember(loaded);
    return listChanged(before, inForce);
  }

  async function writeEdits(at: ConfigPlace, edits: readonly ConfigEdit[]): Promise<void> {
    await writeConfigEdits(at, { edits, owners: createProcessMarks(), beforeChange });
  }

  // One after the other: each is checked against what the one before wrote.
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const written = writing.then(work);
    writing = written.catch(() => undefined);
    return written;
  }

  return {
    /** What is in force. */
    current: (): ClawtoolsConfig => inForce,
    /** Of the file that is in force; "" without one. */
    get appliedHash(): string {
      return appliedHash;
    },
    /** Why the file is not in force; undefined when it is. */
    get problem(): string | undefined {
      return problem;
    },
    /** Files whose change is a change of the config. */
    files: (): readonly string[] => files,
    async read() {
      if (place === undefined) return showObject(inForce);
      const loaded = await loadConfig(place);
      return toSnapshot(loaded, { shown: remember(loaded), place });
    },
    /**
     * Validated before it is written, whole or not at all. Throws `conflict` for a stale `baseHash`,
     * `invalid_input` with `details.issues` when the config would not load.
     */
    write: (write: ConfigWrite) => inTurn(() => writeNow(write)),
    /** One key, from inside the gateway; undefined removes it. */
    async change(path: string, value: unknown): Promise<void> {
      if (place === undefined) throw notAFile();
      await inTurn(() => writeEdits(place, [{ path, value }]));
    },
    /** Takes what the file says into force. Gives the changed paths; throws when it is not usable. */
    reload: async () => (place === undefined ? [] : await inTurn(() => reloadNow(place))),
  };
}

/** Without secrets; `${VAR}` as it is written. */
function show(loaded: LoadedConfig): unknown {
  const value = loaded.ok ? loaded.config : (loaded.draft ?? {});
  return hideSecrets(valueAsWritten(value, loaded.written), HIDDEN);
}

function listFiles(loaded: LoadedConfig | undefined): string[] {
  const files = [loaded?.path, ...(loaded?.parts ?? []).map(({ path }) => path)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

async function writeWhole(
  place: ConfigPlace,
  request: {
    readonly loaded: LoadedConfig;
    readonly text: string;
    readonly beforeChange: (next: ClawtoolsConfig) => Promise<void>;
  },
): Promise<void> {
  const { loaded, text, beforeChange } = request;
  const [main] = loaded.parts;
  const path = main?.path ?? configPath(place);
  const after = await loadDraft(place, [{ path, bytes: Buffer.from(text) }]);
  if (!after.ok) throw configUnusable(after.problems);
  await beforeChange(after.config);
  const before = loaded.raw === undefined ? undefined : Buffer.from(loaded.raw);
  await replaceFile({ path, before, text, owners: createProcessMarks() });
}

function toSnapshot(
  loaded: LoadedConfig,
  { shown, place }: { readonly shown: unknown; readonly place: ConfigPlace },
) {
  const { problems } = loaded;
  return {
    path: loaded.path ?? configPath(place),
    exists: loaded.exists,
    valid: loaded.ok,
    hash: loaded.hash,
    // The text of the file holds its secrets; clients edit what is shown.
    raw: loaded.exists ? `${JSON.stringify(shown, null, 2)}\n` : null,
    parsed: shown,
    config: shown,
    issues: problems.filter(({ severity }) => severity === "error"),
    warnings: problems.filter(({ severity }) => severity !== "error"),
    legacyIssues: [],
  };
}

function showObject(config: ClawtoolsConfig) {
  const shown = hideSecrets(config, HIDDEN);
  const facts = { path: "(given by the program)", exists: false, valid: true, hash: "", raw: null };
  return { ...facts, parsed: shown, config: shown, issues: [], warnings: [], legacyIssues: [] };
}

function hasMark(value: unknown): boolean {
  return JSON.stringify(value).includes(HIDDEN);
}

/** A mark in a place that held no secret would be written as text. */
function assertRestorable(edits: readonly ConfigEdit[]): void {
  const lost = edits.find(({ value }) => value !== undefined && hasMark(value));
  if (lost === undefined) return;
  throw new ToolInputError(
    `${lost.path} holds a hidden value that cannot be restored there; send the real value or leave the key unchanged`,
    { reason: "hidden_value" },
  );
}

function notAFile(): ToolError {
  return new ToolError(
    "unavailable",
    "The config was given by the program that embeds this gateway; change it there.",
    { reason: "config_not_a_file" },
  );
}
