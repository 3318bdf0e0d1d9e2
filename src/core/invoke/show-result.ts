// Stage 8: after hooks, size limits, the wrapper around untrusted text, notes on budget and loops.

import { cutChars } from "../../lib/unicode-text.js";
import type { Artifact, ArtifactStore } from "../ports/records.js";
import type { ContentBlock, ToolResult } from "../tool.js";
import { showNotices, type UntrustedWrapper, wrapUntrustedBlocks } from "../untrusted/wrap.js";
import type { Budget, TurnBudget } from "./budget.js";
import type { Taint } from "./hooks.js";
import type { LoopWatch } from "./loop.js";

export interface ShowDeps {
  readonly artifacts: ArtifactStore;
  readonly budget: Budget;
  readonly taint: Taint;
  readonly turns: TurnBudget;
  readonly resultChars: number;
  readonly sessionKey: string | undefined;
  readonly wrapUntrusted: UntrustedWrapper;
}

interface ShownCall {
  readonly result: ToolResult;
  readonly turn: string | number | undefined;
  readonly watch: LoopWatch;
}

export function showResult({ result, turn, watch }: ShownCall, deps: ShowDeps): ToolResult {
  const allowed = Math.min(deps.resultChars, deps.turns.left(turn));
  if (result.untrusted) deps.taint.add(result.untrusted.source);
  const wrapped = showNotices(
    wrapResult(boundApart(result, { allowed, deps }), deps.wrapUntrusted),
  );
  const chars = countChars(wrapped.content);
  deps.turns.spend(turn, chars);
  deps.budget.spend({ resultChars: chars });
  const notes = [watch.end(result), deps.budget.warning()].filter((note) => note !== undefined);
  return addNotes(wrapped, notes);
}

export function addNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  const note = { type: "text" as const, text: `[${notes.join(" ")}]` };
  return { ...result, content: [...result.content, note] };
}

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

export function wrapResult(result: ToolResult, wrap: UntrustedWrapper): ToolResult {
  if (result.untrusted === undefined) return result;
  const { source } = result.untrusted;
  return { ...result, content: wrapUntrustedBlocks(result.content, { source, wrap }) };
}

const MAX_IMAGE_CHARS = 10 * 1024 * 1024;
const MAX_BLOCKS = 200;
const HEAD_SHARE = 0.7;

type KeepText = (text: string) => string | undefined;

export function boundResult(result: ToolResult, resultChars: number, keep?: KeepText): ToolResult {
  if (!isOverBound(result.content, resultChars)) return result;
  const content: ContentBlock[] = [];
  let left = resultChars;
  let imageCharsLeft = MAX_IMAGE_CHARS;
  const dropped: string[] = [];
  for (const block of result.content) {
    if (content.length >= MAX_BLOCKS || (block.type === "text" && left === 0)) {
      dropped.push(block.type === "text" ? block.text : "[image]");
    } else if (block.type === "text") {
      content.push({ type: "text", text: cutText(block.text, { maxChars: left, keep }) });
      left = Math.max(0, left - block.text.length);
    } else if (block.data.length <= imageCharsLeft) {
      content.push(block);
      imageCharsLeft -= block.data.length;
    } else {
      content.push(omittedImage(block));
    }
  }
  if (dropped.length > 0) {
    const next = keep?.(dropped.join("\n"));
    const hint = next === undefined ? "." : `; ask for ${next}.`;
    content.push({ type: "text", text: `[${dropped.length} further blocks left out${hint}]` });
  }
  return { ...result, content };
}

function countChars(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

function isOverBound(content: readonly ContentBlock[], resultChars: number): boolean {
  let chars = 0;
  let imageChars = 0;
  for (const block of content) {
    if (block.type === "text") chars += block.text.length;
    else imageChars += block.data.length;
  }
  return content.length > MAX_BLOCKS || chars > resultChars || imageChars > MAX_IMAGE_CHARS;
}

function omittedImage({ data, mimeType }: Extract<ContentBlock, { type: "image" }>): ContentBlock {
  return {
    type: "text",
    text: `[An image of ${data.length} base64 characters (${cutChars(mimeType, 100)}) was left out: a result shows at most ${MAX_IMAGE_CHARS}.]`,
  };
}

function cutText(
  text: string,
  { maxChars, keep }: { maxChars: number; keep: KeepText | undefined },
): string {
  if (text.length <= maxChars) return text;
  const next = keep?.(text) ?? "a smaller part";
  const notice = `\n[… ${text.length - maxChars} of ${text.length} characters left out here; ask for ${next} …]\n`;
  const head = Math.floor(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  return `${cutChars(text, head)}${notice}${wholeEnd(tail === 0 ? "" : text.slice(-tail))}`;
}

/** A cut must not leave half of a character. */
function wholeEnd(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, "");
}
