// What every kind of act works with, and how pressed keys and buttons are released.
import type { Frame } from "playwright-core";
import type { PageAction, PageChange } from "../../../../core/browser.js";
import type { FoundElement } from "../../elements/tab-elements.js";
import { tryBriefly } from "../../session/within.js";
import { changedUnderClick } from "../errors.js";
import {
  describeLate,
  describeLoss,
  describeNothing,
  isTaken,
  type PageGuard,
} from "../page-guard.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../page-work.js";

export interface Acting {
  readonly handle: PageHandle;
  readonly guard: PageGuard;
  readonly time: WorkTime;
  readonly tell: (event: string) => void;
}

export type ActOf<Kind extends PageAction["kind"]> = Omit<
  Extract<PageAction, { kind: Kind }>,
  "kind"
>;

export interface Acted {
  readonly frame?: Frame | undefined;
  readonly result?: string | undefined;
  readonly scrolled?: PageChange["scrolled"] | undefined;
  readonly opensTab?: boolean | undefined;
}

const NOWHERE = { x: -1, y: -1 };
const SHUT_MS = 300;

export async function releaseButton(
  acting: Acting,
  button: "left" | "right" | "middle",
): Promise<void> {
  const { mouse } = acting.handle.page;
  await withShutPage(acting, async () => {
    await tryBriefly(() => mouse.move(NOWHERE.x, NOWHERE.y));
    await tryBriefly(() => mouse.up({ button }));
  });
}

export async function releaseKeys(acting: Acting, keys: readonly string[]): Promise<void> {
  const { keyboard } = acting.handle.page;
  await withShutPage(acting, async () => {
    for (const key of keys.toReversed()) {
      await tryBriefly(() => keyboard.up(key));
    }
  });
}

/** Ignores the signal of the work, which has ended. Never rejects. */
async function withShutPage(
  { handle, guard }: Acting,
  release: () => Promise<void>,
): Promise<void> {
  const { page, elements, guardName } = handle;
  const scope = { timeoutMs: SHUT_MS, signal: new AbortController().signal };
  // Releasing a key can click.
  const asks = { op: "arm", ref: 0, input: "pointer", guardName } as const;
  await Promise.all(
    page.frames().map((frame) => elements.ask<"arm">(frame, asks, scope).catch(() => undefined)),
  );
  await release();
  await guard.disarm();
}

export interface KeyTarget {
  readonly ref: string;
  readonly found: FoundElement;
}

/** Throws when keys were held back. */
export async function sendGuarded(
  { handle, guard, time, tell }: Acting,
  { ref, found }: KeyTarget,
  send: () => Promise<void>,
): Promise<void> {
  const outcome = await guard.around({ found, input: "keyboard", time }, send);
  if (outcome && isTaken(outcome)) {
    const late = describeLate(ref, outcome);
    if (late) tell(late);
    return;
  }
  if (outcome?.own.reached) {
    throw changedUnderClick(ref, `some keys went in, then ${describeLoss(outcome)}`);
  }
  await handle.elements.find(ref, "look", time.part());
  throw changedUnderClick(ref, describeNothing(outcome));
}
