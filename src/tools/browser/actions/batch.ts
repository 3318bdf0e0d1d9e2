// `batch`: steps in order, until an error or another page.

import type { PageAction, PageChange } from "../../../core/browser.js";
import { isToolError, type ToolResult, textResult, toToolError } from "../../../core/index.js";
import { type ActionCall, fromPage } from "../action-call.js";
import { MAX_CHANGE_CHARS } from "../limits.js";
import { adviseRefusal, isDoneWithDialog, isRefusal, quoteRefusal } from "../refusal.js";
import { type ActFields, readFields } from "../request/act-fields.js";
import { readAction, readKind } from "../request/read-act.js";
import { invalid, readFlag, readList, readRecord } from "../request/read-value.js";
import { showChange } from "../view/show-change.js";
import {
  closeTab,
  describeAction,
  performAct,
  readPlace,
  showValue,
  tellScrollAndFocus,
} from "./act-step.js";

const MAX_STEPS = 50;

type Deed = { readonly kind: "close" } | PageAction;

interface Step {
  readonly place: ActionCall;
  readonly deed: Deed;
}

interface StepResult {
  readonly ok: boolean;
  readonly kind: string;
  readonly error?: string;
  readonly code?: string;
  readonly reason?: string | undefined;
  readonly result?: string;
  readonly navigated?: true;
}

interface Progress {
  readonly results: StepResult[];
  readonly texts: string[];
  readonly notices: string[];
  change: PageChange | undefined;
  end: "error" | "navigation" | "dialog" | "close" | undefined;
}

export async function batch(asked: ActionCall, fields: ActFields): Promise<ToolResult> {
  const steps = readSteps(fields, asked);
  const stopsOnError =
    fields.stopOnError === undefined || readFlag(fields.stopOnError, "stopOnError");
  const progress: Progress = {
    ...{ results: [], texts: [], notices: [], change: undefined, end: undefined },
  };
  for (const step of steps) {
    if (progress.end !== undefined) break;
    await takeStep({ step, stopsOnError, progress });
  }
  return toResult(progress, steps);
}

/** All steps are read first, so that an error in the last one leaves nothing half done. */
function readSteps({ actions }: ActFields, asked: ActionCall): readonly Step[] {
  const list = actions === undefined ? [] : readList(actions);
  if (list.length === 0 || list.length > MAX_STEPS) {
    throw invalid(
      `batch needs actions, 1 to ${MAX_STEPS} requests such as {"kind":"click","ref":"e12"}; received ${list.length}.`,
      { missing: "actions" },
    );
  }
  return list.map((one, index) => {
    const where = `actions[${index}]`;
    const fields = readFields(readRecord(one, where), where);
    const kind = readKind(fields);
    const place = readPlace(asked, fields);
    if (kind === "close") return { place, deed: { kind } };
    if (kind !== "batch") return { place, deed: readAction(kind, fields) };
    throw invalid(`${where} is a batch itself; write its steps into this one.`);
  });
}

interface Taking {
  readonly step: Step;
  readonly stopsOnError: boolean;
  readonly progress: Progress;
}

async function takeStep({ step, stopsOnError, progress }: Taking): Promise<void> {
  const { results } = progress;
  const { place, deed } = step;
  const { kind } = deed;
  try {
    if (deed.kind === "close") {
      await closeTab(place);
      results.push({ ok: true, kind });
      progress.end = "close";
      return;
    }
    await actInBatch({ place, deed }, progress);
  } catch (error) {
    place.scope.signal.throwIfAborted();
    if (!isToolError(error) || error.code === "internal") throw error;
    if (isDoneWithDialog(error)) {
      results.push({ ok: true, kind });
      progress.texts.push(quoteRefusal(error));
      progress.notices.push(`Step ${results.length} (${nameStep(step)}): ${adviseRefusal(error)}`);
      progress.end = "dialog";
      return;
    }
    const { message, code, reason } = toToolError(error);
    results.push({ ok: false, kind, error: message, code, reason });
    const advice = isRefusal(error) ? adviseRefusal(error) : message;
    const why = advice === "" ? "." : `: ${advice}`;
    progress.notices.push(`Step ${results.length} (${nameStep(step)}) failed${why}`);
    if (isRefusal(error)) progress.texts.push(quoteRefusal(error));
    if (stopsOnError) progress.end = "error";
  }
}

async function actInBatch(
  { place, deed }: { readonly place: ActionCall; readonly deed: PageAction },
  progress: Progress,
): Promise<void> {
  const { change, result } = await performAct(place, deed);
  const value = showValue(result);
  progress.change = change;
  const { text } = showChange(change);
  const ref = "ref" in deed ? deed.ref : undefined;
  const moved = tellScrollAndFocus(change, { kind: deed.kind, ref, text });
  progress.texts.push(value.text, text, moved);
  progress.notices.push(...value.notices);
  const isGone = change.isNewDocument;
  progress.results.push({
    ...{ ok: true, kind: deed.kind },
    ...(result === undefined ? {} : { result }),
    ...(isGone ? { navigated: true as const } : {}),
  });
  if (isGone) progress.end = "navigation";
}

function toResult(progress: Progress, steps: readonly Step[]): ToolResult {
  const { results, change, end } = progress;
  const skipped = steps.length - results.length;
  const failed = results.find(({ ok }) => !ok);
  const aborted =
    end === undefined || skipped === 0
      ? {}
      : {
          aborted: {
            reason: end,
            afterAction: results.length,
            url: change?.tab.url ?? "",
            skipped,
          },
        };
  const text = cutToBound(progress.texts.filter((part) => part !== ""));
  const isStopped = end === "error";
  const details = {
    ok: failed === undefined,
    kind: "batch",
    ...(change === undefined ? {} : { targetId: change.tab.targetId, url: change.tab.url }),
    results,
    ...aborted,
    ...(isStopped && failed ? { code: failed.code, reason: failed.reason } : {}),
  };
  const notices = [...progress.notices, ...tellSteps({ progress, steps, skipped })];
  const result =
    text === ""
      ? { ...textResult("Nothing on the page changed.", details), notices }
      : fromPage({ text, tab: change?.tab, details, notices });
  return { ...result, ...(isStopped ? { isError: true as const } : {}) };
}

function tellSteps(run: {
  readonly progress: Progress;
  readonly steps: readonly Step[];
  readonly skipped: number;
}): string[] {
  const { progress, steps, skipped } = run;
  const done = progress.results.filter(({ ok }) => ok).length;
  const count = `${done} of ${steps.length} steps done.`;
  if (skipped === 0) return [count];
  const why = {
    error: "a step failed",
    navigation: "the page is another one now; take its refs and go on",
    dialog: "a dialog waits for its answer",
    close: "the tab is closed",
  }[progress.end ?? "error"];
  return [`${count} ${skipped} not tried: ${why}.`];
}

function cutToBound(parts: readonly string[]): string {
  const kept: string[] = [];
  let chars = 0;
  for (const part of [...parts].reverse()) {
    chars += part.length + 1;
    if (chars > MAX_CHANGE_CHARS && kept.length > 0) break;
    kept.unshift(part);
  }
  const cut = parts.length - kept.length;
  return [...(cut === 0 ? [] : [`… ${cut} earlier changes`]), ...kept].join("\n");
}

function nameStep({ deed }: Step): string {
  return deed.kind === "close" ? deed.kind : describeAction(deed);
}
