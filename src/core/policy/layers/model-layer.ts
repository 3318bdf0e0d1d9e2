// The layer of the model: `apply_patch` is for OpenAI models unless the config says more.

import type { PatchSetting } from "../config/patch-setting.js";
import { showPath } from "../config/path.js";
import { addName, type NameList } from "../config/scope.js";
import type { Layer, Removal } from "../layer.js";
import { foldName } from "../names/normalize.js";
import { compilePattern, isPattern } from "../names/wildcard.js";
import type { ModelNames } from "../request.js";
import { closedBy } from "./context.js";

const TOOL_KEY = "apply_patch";
const OPENAI_PROVIDERS: ReadonlySet<string> = new Set([
  "openai",
  "openai-codex",
  "azure-openai",
  "azure-openai-responses",
]);
const OPENAI_MAKER = "openai/";

export interface ModelLayerInput {
  readonly model: ModelNames | undefined;
  readonly setting: PatchSetting;
}

export function createModelLayer({ model, setting }: ModelLayerInput): Layer | undefined {
  if (!model && !setting.fault && setting.enabled.value !== false) return undefined;
  const removal = judgeModel(model, setting);
  const isClosed = setting.fault !== undefined || setting.allowModels?.fault !== undefined;
  return {
    summary: {
      id: "model",
      source: showPath(setting.enabled.path.slice(0, -1)),
      state: isClosed ? "closed" : "filters",
      ...(removal ? { deny: [TOOL_KEY] } : {}),
    },
    judge: ({ key }) => (key === TOOL_KEY ? removal : undefined),
  };
}

function judgeModel(model: ModelNames | undefined, setting: PatchSetting): Removal | undefined {
  const { enabled, allowModels, fault } = setting;
  if (fault) return { ...closedBy(fault), ...(fault.fix ? { fix: fixBy(fault.fix) } : {}) };
  if (enabled.value === false) {
    const rule = `${showPath(enabled.path)} false`;
    const fix = fixBy({ path: enabled.path, value: true });
    return { rule, reason: `switched off by ${rule}`, fix };
  }
  if (!model) return undefined;
  if (allowModels) return judgeByList(model, allowModels);
  if (enabled.value === true || isOpenAi(model)) return undefined;
  const rule = `${showPath(enabled.path)} (default)`;
  const reason = `offered to OpenAI models alone unless ${showPath(enabled.path)} is true`;
  return { rule, reason, fix: fixBy({ path: enabled.path, value: true }) };
}

function judgeByList(names: ModelNames, allowModels: NameList): Removal | undefined {
  const { provider, model } = names;
  const spellings = model === "" ? [`${provider}/`] : [`${provider}/${model}`, model];
  const isListed = allowModels.entries.some((entry) => {
    const wanted = foldName(entry);
    const fits = isPattern(wanted) ? compilePattern(wanted) : (name: string) => name === wanted;
    return wanted !== "" && spellings.some(fits);
  });
  const { path, fault } = allowModels;
  if (isListed && !fault) return undefined;
  const name = `${provider}/${model === "" ? "*" : model}`;
  const fix = () => [
    isListed ? { path, value: allowModels.entries } : addName(allowModels, { path, name }),
  ];
  const removal = fault
    ? closedBy(fault)
    : { rule: showPath(path), reason: `${name} is not named by ${showPath(path)}` };
  return { ...removal, fix };
}

function fixBy<T>(edit: T): () => T[] {
  return () => [edit];
}

function isOpenAi({ provider, model }: ModelNames): boolean {
  return OPENAI_PROVIDERS.has(provider) || model.startsWith(OPENAI_MAKER);
}
