// Who asks, with what model, from where: everything that decides which layers are in force.

import { foldName } from "./names/normalize.js";

export interface PolicySender {
  readonly id?: string;
  readonly e164?: string;
  readonly username?: string;
  readonly name?: string;
}

export interface PolicyRequest {
  readonly agentId?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly channel?: string;
  readonly groupId?: string;
  readonly sender?: PolicySender;
  readonly sandboxed?: boolean;
  /** Default true. */
  readonly owner?: boolean;
  readonly subagent?: "leaf" | "orchestrator";
  /** The caller's own cap; an empty list leaves nothing. */
  readonly toolsAllow?: readonly string[];
}

/** The model of a request by its names, folded. */
export interface ModelNames {
  readonly provider: string;
  /** Without its provider; empty when unknown. */
  readonly model: string;
  /** Keys by which configs name it, the most exact first. */
  readonly keys: readonly string[];
}

/**
 * `undefined` when no provider is known. A model such as `openai/gpt-5.2` tells its provider when
 * the request does not.
 */
export function readModelNames(request: PolicyRequest): ModelNames | undefined {
  const written = foldName(request.model ?? "");
  const maker = written.slice(0, Math.max(0, written.indexOf("/")));
  const provider = foldName(request.provider ?? "") || maker;
  if (provider === "") return undefined;
  const model = provider === maker ? written.slice(maker.length + 1) : written;
  if (model === "") return { provider, model, keys: [provider] };
  const byMaker = model.includes("/") ? [model] : [];
  return { provider, model, keys: [`${provider}/${model}`, ...byMaker, provider] };
}
