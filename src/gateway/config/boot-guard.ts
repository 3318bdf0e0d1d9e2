// The config at a start, guarded: a file that does not load, or with which the gateway died again and
// again, is replaced by the last one that worked. What worked is kept in the store.

import { readFile, rename } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { removeLeftOvers, replaceFile } from "../../config/edit/index.js";
import {
  type ClawtoolsConfig,
  type ConfigPlace,
  type ConfigProblem,
  configPath,
  type LoadedConfig,
  loadConfig,
  parseConfig,
} from "../../config/index.js";
import { type Clock, type Store, ToolInputError } from "../../core/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { isMissing } from "../../lib/errno.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import { findPolicyProblems } from "../../toolkit/index.js";
import type { GatewayLog } from "../log/log-file.js";

const SPACE = "gateway.config";
const LAST_GOOD = "last-good";
const ATTEMPTS = "attempts";
const MAX_ATTEMPTS = 3;
/** What a toolkit does with a misspelt name; a gateway refuses it. */
const READ_AS = / and is read as ("[^"]*") until you fix it/;
/** A gateway that lives this long works with its config. */
const HEALTHY_AFTER_MS = 10_000;

export interface BootRequest {
  readonly config?: ClawtoolsConfig | undefined;
  readonly configPlace?: ConfigPlace | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: GatewayLog;
}

export interface Boot {
  readonly config: ClawtoolsConfig;
  readonly loaded: LoadedConfig | undefined;
  /** What happened, when the config in the file was not taken. */
  readonly message: string | undefined;
  /** Notes after a while that this config works; the returned function ends the waiting. */
  watchHealth(): () => void;
  /** At a clean end, and before a change: the gateway has served with this config. */
  keepGood(): Promise<void>;
}

/** Throws a ToolInputError when the config cannot be used and no earlier one is known. */
export async function loadGuarded(request: BootRequest): Promise<Boot> {
  const { configPlace: place, store, clock, log } = request;
  if (place === undefined) return fromObject(request.config ?? {});
  const loaded = await loadConfig(place);
  await clean(loaded.parts[0]?.path ?? configPath(place), log);
  const lastGood = (await store.kv.get({ space: SPACE, key: LAST_GOOD }))?.value;
  const goodHash = readText(lastGood, "hash");
  const problems = loaded.ok ? findRuleErrors(loaded.config) : loaded.problems;
  if (!loaded.ok || problems.length > 0) {
    const config = readField(lastGood, "config");
    const why = describeProblems(problems);
    if (config === undefined)
      throw new ToolInputError(`The config cannot be used. ${why}`, { reason: "config_invalid" });
    const files = readField(lastGood, "files");
    const isDefault = Array.isArray(files) && files.length === 0;
    const used = isDefault ? "the defaults" : "the last working config";
    const message = `The config cannot be used (${why}). The gateway runs with ${used} until it is fixed.`;
    log.write("error", message);
    return toBoot({ config: parseConfig(config).config, loaded, message, isNoted: true });
  }
  const attempts = loaded.hash === goodHash ? 0 : await countAttempt(store, loaded.hash);
  if (attempts > MAX_ATTEMPTS && goodHash !== undefined) {
    const reverted = await revert({ place, loaded, lastGood, log });
    return toBoot({ ...reverted, isNoted: true });
  }
  const isNoted = loaded.hash === goodHash;
  // Read now: the files may change while the gateway runs.
  const files = isNoted ? [] : await readFiles(loaded);
  return toBoot({ config: loaded.config, loaded, message: undefined, isNoted, files });

  function toBoot(
    facts: Pick<Boot, "config" | "loaded" | "message"> & {
      readonly isNoted: boolean;
      readonly files?: readonly KeptFile[];
    },
  ): Boot {
    const { config, loaded: used, message, files } = facts;
    let isNoted = facts.isNoted;
    const keepGood = async () => {
      if (isNoted) return;
      const value = { hash: used?.hash, files, config };
      await store.kv.put({ space: SPACE, key: LAST_GOOD, value, durability: "disk" });
      isNoted = true;
    };
    return {
      ...{ config, loaded: used, message, keepGood },
      watchHealth: () =>
        clock.after(HEALTHY_AFTER_MS, () => {
          keepGood().catch((error: unknown) =>
            log.write("warn", `Cannot keep the last working config: ${String(error)}`),
          );
        }),
    };
  }
}

function fromObject(config: ClawtoolsConfig): Boot {
  const { ok, config: parsed, problems } = parseConfig(config);
  if (!ok) {
    const [first] = problems.filter(({ severity }) => severity === "error");
    throw new ToolInputError(`createGateway: config ${first?.path ?? ""} ${first?.message ?? ""}`, {
      reason: "config_invalid",
    });
  }
  return {
    config: parsed,
    loaded: undefined,
    message: undefined,
    watchHealth: () => () => undefined,
    keepGood: async () => undefined,
  };
}

async function countAttempt(store: Store, hash: string): Promise<number> {
  const place = { space: SPACE, key: ATTEMPTS };
  const before = (await store.kv.get(place))?.value;
  const count = readText(before, "hash") === hash ? (readNumber(before, "count") ?? 0) + 1 : 1;
  await store.kv.put({ ...place, value: { hash, count }, durability: "disk" });
  return count;
}

interface KeptFile {
  readonly path: string;
  readonly text: string;
}

/** The texts of all its files, so that a revert brings back exactly what worked. */
async function readFiles({ parts }: LoadedConfig): Promise<KeptFile[]> {
  return await Promise.all(
    parts.map(async ({ path }) => ({ path, text: await readFile(path, "utf8") })),
  );
}

/** A draft of a killed write holds the whole config. */
async function clean(path: string, log: GatewayLog): Promise<void> {
  await removeLeftOvers(path, createProcessMarks()).catch((error: unknown) => {
    if (!isMissing(error)) log.write("warn", `Cannot remove old drafts: ${String(error)}`);
  });
}

async function revert(request: {
  readonly place: ConfigPlace;
  readonly loaded: LoadedConfig;
  readonly lastGood: unknown;
  readonly log: GatewayLog;
}): Promise<Pick<Boot, "config" | "loaded" | "message">> {
  const { place, lastGood, log } = request;
  const files = readField(lastGood, "files");
  const kept: readonly unknown[] = Array.isArray(files) ? files : [];
  const [main] = request.loaded.parts;
  let isBack = false;
  if (kept.length === 0 && main !== undefined) {
    // There was no config file when it worked.
    await rename(main.path, `${main.path}.rejected`);
    isBack = true;
  }
  for (const file of kept) {
    const path = readText(file, "path");
    const text = readText(file, "text");
    if (path === undefined || text === undefined) continue;
    const before = await readFile(path).catch(() => undefined);
    if (before?.toString("utf8") === text) continue;
    if (before) {
      const rejected = `${path}.rejected`;
      const old = await readFile(rejected).catch(() => undefined);
      await replaceFile({ path: rejected, before: old, text: before.toString("utf8") });
    }
    await replaceFile({ path, before, text, owners: createProcessMarks() });
    isBack = true;
  }
  const loaded = await loadConfig(place);
  const config = loaded.ok ? loaded.config : parseConfig(readField(lastGood, "config")).config;
  const outcome = isBack
    ? "The last working config is back; the changed one is kept with the ending .rejected."
    : "The files of the last working config are the same, so nothing was changed.";
  const message = `The gateway ended ${MAX_ATTEMPTS} times within ${HEALTHY_AFTER_MS / 1_000} seconds after the config was changed. ${outcome}`;
  log.write("error", message);
  return { config, loaded, message };
}

/**
 * Rules that no toolkit takes, such as a misspelt tool. Plugins bring tools that are not known yet.
 * `before`: a config whose rules were checked.
 */
export function findRuleErrors(config: ClawtoolsConfig, before?: ClawtoolsConfig): ConfigProblem[] {
  if (before && isDeepStrictEqual(rulesOf(config), rulesOf(before))) return [];
  const hasPlugins = (config.plugins?.load?.paths ?? []).length > 0;
  return findPolicyProblems({ ...config })
    .filter(({ severity, code }) => severity === "error" && !(hasPlugins && code === "typo"))
    .map(({ path, severity, message }) => {
      return { path, severity, message: message.replace(READ_AS, "; it may mean $1") };
    });
}

function rulesOf({ tools, agents, channels, plugins }: ClawtoolsConfig) {
  return { tools, agents, channels, plugins };
}

function describeProblems(problems: readonly ConfigProblem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  return errors
    .slice(0, 3)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
}
