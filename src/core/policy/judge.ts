// Reads a config for one request and gives the function that decides about a tool.

import { readSources } from "./config/sources.js";
import type { LayerId, PolicyLayerSummary, Removal } from "./layer.js";
import { buildLayers } from "./layers/build.js";
import type { CompileList } from "./names/matcher.js";
import type { ReadMeaning } from "./names/meaning.js";
import type { Subject, ToolIndex } from "./names/tool-index.js";
import type { PolicyRequest } from "./request.js";
import { createWarningLog, type PolicyWarning } from "./warnings.js";

/** A removal with the layer that did it. */
export interface Verdict extends Removal {
  readonly layer: LayerId;
}

/** The first removal, or `undefined` when the tool is left. */
export type Judge = (subject: Subject) => Verdict | undefined;

export interface JudgeInput {
  readonly config: Record<string, unknown>;
  readonly request: PolicyRequest;
  readonly index: ToolIndex;
  readonly read: ReadMeaning;
  readonly compileList: CompileList;
}

export interface Judgement {
  readonly judge: Judge;
  readonly warnings: readonly PolicyWarning[];
  readonly layers: readonly PolicyLayerSummary[];
}

export function compileJudge(input: JudgeInput): Judgement {
  const { config, request, index, read, compileList } = input;
  const log = createWarningLog();
  const sources = readSources({ config, request, log });
  const layers = buildLayers({ sources, request, context: { index, read, compileList, log } });
  const judge: Judge = (subject) => {
    for (const { summary, judge: judgeLayer } of layers) {
      const removal = judgeLayer(subject);
      if (removal) return { layer: summary.id, ...removal };
    }
    return undefined;
  };
  return {
    judge,
    warnings: log.list(),
    layers: Object.freeze(layers.map(({ summary }) => summary)),
  };
}
