// Dialogs of a page. Alerts and beforeunload questions are accepted; confirm and prompt wait for an
// answer and are dismissed without one. A page with a dialog answers nothing else.
import type { Dialog, Page } from "playwright-core";
import type { Clock } from "../../../core/index.js";
import { tryBriefly } from "../session/within.js";
import {
  blockedByDialog,
  type DialogFacts,
  dialogNotFound,
  dialogsClashed,
  shown,
} from "./errors.js";
import { isOfMainFrame } from "./loading.js";
import type { PageWork } from "./page-work.js";

const MAX_HELD_MS = 30_000;
const MAX_ARMED_MS = 120_000;
const ALWAYS_ACCEPTED = ["alert", "beforeunload"];

export interface DialogAnswer {
  readonly accept: boolean;
  readonly promptText?: string | undefined;
}

interface DialogsOptions {
  readonly page: Page;
  readonly clock: Clock;
  readonly tell: (event: string) => void;
  readonly obstruct: PageWork["obstruct"];
  readonly released: () => void;
}

interface Held {
  readonly dialog: Dialog;
  readonly facts: DialogFacts;
  readonly lift: () => void;
}

export function createDialogs(options: DialogsOptions) {
  const { page, clock, tell } = options;
  let count = 0;
  let held: Held | undefined;
  let clash: (() => void) | undefined;
  let armed: (DialogAnswer & { readonly untilMs: number }) | undefined;

  const onDialog = (dialog: Dialog) => {
    count += 1;
    const facts = toFacts(dialog, count);
    const answer = chooseAnswer(dialog, armed, clock.now());
    if (answer) {
      if (!ALWAYS_ACCEPTED.includes(dialog.type())) armed = undefined;
      tell(describeAnswer(facts, answer));
      settleDialog(dialog, answer);
      return;
    }
    if (clash) return;
    if (held) giveUp(held, facts);
    else hold(dialog, facts);
  };
  const hold = (dialog: Dialog, facts: DialogFacts) => {
    const takeBack = clock.after(MAX_HELD_MS, () => {
      tell(`The ${facts.type} ${facts.dialogId} got no answer and was dismissed.`);
      release({ accept: false });
    });
    const unblock = options.obstruct(blockedByDialog(facts));
    const lift = () => {
      takeBack();
      unblock();
    };
    held = { dialog, facts, lift };
  };
  const release = async (answer: DialogAnswer) => {
    const current = held;
    if (!current) return;
    held = undefined;
    current.lift();
    await settleDialog(current.dialog, answer);
    options.released();
  };
  /** Chromium dismisses the first and blocks on the second: only navigation helps. */
  const giveUp = (first: Held, second: DialogFacts) => {
    held = undefined;
    first.lift();
    const lift = options.obstruct(dialogsClashed(first.facts, second), "navigable");
    const onNavigated = (frame: unknown) => {
      if (frame !== page.mainFrame()) return;
      page.off("framenavigated", onNavigated);
      clash = undefined;
      lift();
    };
    page.on("framenavigated", onNavigated);
    clash = lift;
    options.released();
  };
  const forgetAnswer = () => {
    armed = undefined;
  };
  page.on("dialog", onDialog);
  page.on("request", (request) => {
    if (isOfMainFrame(request, page)) forgetAnswer();
  });
  return {
    forgetAnswer,
    isHeld: () => (held ?? clash) !== undefined,
    held: () => held && { dialogId: held.facts.dialogId, type: held.facts.type },
    hasClashed: () => clash !== undefined,
    answer: async (answer: DialogAnswer, dialogId: string | undefined) => {
      if (dialogId !== undefined && dialogId !== held?.facts.dialogId) {
        throw dialogNotFound(dialogId);
      }
      if (held) {
        tell(describeAnswer(held.facts, answer));
        await release(answer);
        return "answered";
      }
      armed = { ...answer, untilMs: clock.now() + MAX_ARMED_MS };
      return "armed";
    },
    close: () => {
      held?.lift();
      held = undefined;
    },
  };
}

function chooseAnswer(
  dialog: Dialog,
  armed: (DialogAnswer & { readonly untilMs: number }) | undefined,
  nowMs: number,
): DialogAnswer | undefined {
  if (ALWAYS_ACCEPTED.includes(dialog.type())) return { accept: true };
  return armed && armed.untilMs > nowMs ? armed : undefined;
}

/** Never rejects: the dialog may be gone with its page. */
function settleDialog(dialog: Dialog, { accept, promptText }: DialogAnswer): Promise<void> {
  return tryBriefly(() =>
    accept ? dialog.accept(promptText ?? dialog.defaultValue()) : dialog.dismiss(),
  );
}

function toFacts(dialog: Dialog, count: number): DialogFacts {
  const defaultValue = dialog.defaultValue();
  return {
    dialogId: `d${count}`,
    type: dialog.type(),
    message: shown(dialog.message()),
    ...(defaultValue !== "" && { defaultValue: shown(defaultValue) }),
  };
}

function describeAnswer(facts: DialogFacts, answer: DialogAnswer): string {
  const said = facts.message === "" ? "" : ` "${facts.message}"`;
  const how = answer.accept ? "accepted" : "dismissed";
  const text = answer.accept ? describeText(facts, answer) : "";
  return `Dialog ${facts.dialogId} (${facts.type})${said} was ${how}${text}.`;
}

function describeText(
  { type, defaultValue = "" }: DialogFacts,
  { promptText }: DialogAnswer,
): string {
  if (type !== "prompt") return "";
  if (promptText !== undefined) return " with text";
  return defaultValue === "" ? " without a text" : ` with its default "${defaultValue}"`;
}
