// The config at a start, guarded: a file that does not load, or with which the gateway died again and
// again, is replaced by the last one that worked. What worked is kept in the store.

import { readFile } from "node:fs/promises";
import { replaceFile } from "../../config/edit/index.js";
import {
  type ClawtoolsConfig,
  type ConfigPlace,
  type LoadedConfig,
  loadConfig,
  parseConfig,
} from "../../config/index.js";
import { type Clock, type Store, ToolInputError } from "../../core/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { readField, readNumber, readText } from "../../lib/read-field.js";
import type { GatewayLog } from "../log/log-file.js";

const SPACE = "gateway.config";
const LAST_GOOD = "last-good";
const ATTEMPTS = "attempts";
const MAX_ATTEMPTS = 3;
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
  noteCleanEnd(): Promise<void>;
}

/** Throws a ToolInputError when the config cannot be used and no earlier one is known. */
export async function loadGuarded(request: BootRequest): Promise<Boot> {
  const { configPlace: place, store, clock, log } = request;
  if (place === undefined) return fromObject(request.config ?? {});
  const loaded = await loadConfig(place);
  const lastGood = (await store.kv.get({ space: SPACE, key: LAST_GOOD }))?.value;
  const goodHash = readText(lastGood, "hash");
  if (!loaded.ok) {
    const config = readField(lastGood, "config");
    const why = describeProblems(loaded);
    if (config === undefined)
      throw new ToolInputError(`The config cannot be used. ${why}`, { reason: "config_invalid" });
    const files = readField(lastGood, "files");
    const isDefault = Array.isArray(files) && files.length === 0;
    const used = isDefault ? "the defaults, as at its last start" : "the last working config";
    const message = `The config cannot be used (${why}). The gateway runs with ${used} until it is fixed.`;
    log.write("error", message);
    return toBoot({ config: parseConfig(config).config, loaded, message, isNoted: true });
  }
  const attempts = loaded.hash === goodHash ? 0 : await countAttempt(store, loaded.hash);
  if (attempts > MAX_ATTEMPTS && goodHash !== undefined) {
    const reverted = await revert({ place, loaded, lastGood, log });
    return toBoot({ ...reverted, isNoted: true });
  }
  return toBoot({
    config: loaded.config,
    loaded,
    message: undefined,
    isNoted: loaded.hash === goodHash,
  });

  function toBoot(facts: Pick<Boot, "config" | "loaded" | "message"> & { isNoted: boolean }): Boot {
    let isNoted = facts.isNoted;
    const note = async () => {
      if (isNoted || facts.loaded === undefined) return;
      isNoted = true;
      await keepGood(store, facts.loaded);
    };
    return {
      ...facts,
      watchHealth: () =>
        clock.after(HEALTHY_AFTER_MS, () => {
          note().catch((error: unknown) =>
            log.write("warn", `Cannot keep the last working config: ${String(error)}`),
          );
        }),
      noteCleanEnd: note,
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
    noteCleanEnd: async () => undefined,
  };
}

async function countAttempt(store: Store, hash: string): Promise<number> {
  const place = { space: SPACE, key: ATTEMPTS };
  const before = (await store.kv.get(place))?.value;
  const count = readText(before, "hash") === hash ? (readNumber(before, "count") ?? 0) + 1 : 1;
  await store.kv.put({ ...place, value: { hash, count }, durability: "disk" });
  return count;
}

/** The texts of all its files, so that a revert brings back exactly what worked. */
async function keepGood(store: Store, loaded: LoadedConfig): Promise<void> {
  if (!loaded.ok) return;
  const files = await Promise.all(
    loaded.parts.map(async ({ path }) => ({ path, text: await readFile(path, "utf8") })),
  );
  const value = { hash: loaded.hash, files, config: loaded.config };
  await store.kv.put({ space: SPACE, key: LAST_GOOD, value });
}

async function revert(request: {
  readonly place: ConfigPlace;
  readonly loaded: LoadedConfig;
  readonly lastGood: unknown;
  readonly log: GatewayLog;
}): Promise<Pick<Boot, "config" | "loaded" | "message">> {
  const { place, lastGood, log } = request;
  const kept = readField(lastGood, "files");
  for (const file of Array.isArray(kept) ? kept : []) {
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
  }
  const loaded = await loadConfig(place);
  const config = loaded.ok ? loaded.config : parseConfig(readField(lastGood, "config")).config;
  const message = `The gateway ended ${MAX_ATTEMPTS} times within ${HEALTHY_AFTER_MS / 1_000} seconds after the config was changed. The last working config is back; the changed one is kept with the ending .rejected.`;
  log.write("error", message);
  return { config, loaded, message };
}

function describeProblems({ problems }: LoadedConfig): string {
  const errors = problems.filter(({ severity }) => severity === "error");
  return errors
    .slice(0, 3)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    .join("; ");
}
