// Stage 8 of a call: after hooks, then the bound, then the wrapper around what came from outside,
// then what the model should know of its budget and its loops.

import type { Artifact, ArtifactStore } from "../../ports/records.js";
import type { ToolResult } from "../../tool.js";
import { showNotices } from "../../untrusted/notices.js";
import { type UntrustedWrapper, wrapUntrustedBlocks } from "../../untrusted/wrap.js";
import type { Budget } from "../budget.js";
import type { LoopWatch } from "../loop.js";
import type { Taint } from "../taint.js";
import type { TurnBudget } from "../turn.js";
import { boundResult, countChars } from "./bound.js";

export interface ShowDeps {
  readonly artifacts: ArtifactStore;
  readonly budget: Budget;
  readonly taint: Taint;
  readonly turns: TurnBudget;
  readonly resultChars: number;
  readonly sessionKey: string | undefined;
  readonly wrapUntrusted: UntrustedWrapper;
}

export interface ShownCall {
  readonly result: ToolResult;
  readonly turn: string | number | undefined;
  readonly watch: LoopWatch;
}

/** The wrapper is put around the cut text, so no cut can take its end away. */
export function showResult({ result, turn, watch }: ShownCall, deps: ShowDeps): ToolResult {
  const allowed = Math.min(deps.resultChars, deps.turns.left(turn));
  const wrapped = showNotices(wrapResult(boundApart(result, { allowed, deps }), deps));
  const chars = countChars(wrapped.content);
  deps.turns.spend(turn, chars);
  deps.budget.spend({ resultChars: chars });
  const notes = [watch.end(result), deps.budget.warning()].filter((note) => note !== undefined);
  return addNotes(wrapped, notes);
}

/** What the model should know next to the result, in a block of its own. */
export function addNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  const note = { type: "text" as const, text: `[${notes.join(" ")}]` };
  return { ...result, content: [...result.content, note] };
}

/** Of text from outside the call that gives the rest is named outside of it. */
function boundApart(
  result: ToolResult,
  { allowed, deps }: { readonly allowed: number; readonly deps: ShowDeps },
): ToolResult {
  const { untrusted, notices = [] } = result;
  if (untrusted === undefined) {
    return boundResult(result, allowed, (text) => keepText({ text, untrusted }, deps));
  }
  const added: string[] = [];
  const bound = boundResult(result, allowed, (text) => {
    const next = keepText({ text, untrusted }, deps);
    if (next !== undefined) added.push(`Text was left out above; ask for ${next}.`);
    return undefined;
  });
  return added.length === 0 ? bound : { ...bound, notices: [...notices, ...added] };
}

function keepText(kept: Omit<Artifact, "sessionKey">, deps: ShowDeps): string | undefined {
  const id = deps.artifacts.put({ ...kept, sessionKey: deps.sessionKey });
  return id === undefined ? undefined : `the rest with read, path "artifact://${id}"`;
}

function wrapResult(result: ToolResult, deps: ShowDeps): ToolResult {
  if (result.untrusted === undefined) return result;
  const { source } = result.untrusted;
  deps.taint.add(source);
  const content = wrapUntrustedBlocks(result.content, { source, wrap: deps.wrapUntrusted });
  return { ...result, content };
}
