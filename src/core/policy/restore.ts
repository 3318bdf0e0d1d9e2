// Finds the config patch that brings a removed tool back: mends the layer that removed it, looks
// which layer removes it next, and so on. What is given out has been tried.

import { isRecord } from "../schema/json-value.js";
import type { Edit } from "./config/found.js";
import { applyEdit, type ConfigRecord, mergePatch, toPatch } from "./config/patch.js";
import type { Judge, Verdict } from "./judge.js";
import { LAYER_IDS } from "./layer.js";
import type { Subject } from "./names/tool-index.js";

/** A layer may need mending twice: first its shape, then its lists. */
const MAX_ROUNDS = LAYER_IDS.length * 2;

export interface RestoreInput {
  readonly config: ConfigRecord;
  readonly subject: Subject;
  /** How the tool was removed. */
  readonly verdict: Verdict;
  /** Decides by another config. */
  readonly judgeWith: (config: ConfigRecord) => Judge;
}

/** `undefined` when no config can bring the tool back. */
export function findRestoringPatch(input: RestoreInput): ConfigRecord | undefined {
  const { config, subject, judgeWith } = input;
  let verdict: Verdict | undefined = input.verdict;
  let mended = config;
  const done: Edit[] = [];
  for (let round = 0; verdict && round < MAX_ROUNDS; round++) {
    if (!verdict.mend) return undefined;
    const edits = verdict.mend();
    mended = edits.reduce(applyEdit, mended);
    done.push(...edits);
    verdict = judgeWith(mended)(subject);
  }
  const patch = toPatch(
    mended,
    done.map(({ path }) => path),
  );
  if (!patch) return undefined;
  const tried = mergePatch(isRecord(config) ? config : {}, patch);
  return judgeWith(tried)(subject) ? undefined : patch;
}
