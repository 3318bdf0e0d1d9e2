// One act from beginning to answer, also when the tab closes or a dialog interrupts it.
import type { Page } from "playwright-core";
import type {
  ActOutcome,
  BrowserPage,
  PageAction,
  PageChange,
  PageScope,
} from "../../../../core/browser.js";
import { within } from "../../session/within.js";
import type { PageParts } from "../create-browser-page.js";
import { halfDone, interruptedBy, isTimeout, shown } from "../errors.js";
import { followAct } from "../events.js";
import type { Done } from "../page-change.js";
import type { PageHandle } from "../page-handle.js";
import type { WorkTime } from "../page-work.js";
import { opensTabs } from "./click.js";
import { actFor } from "./perform.js";

const MAX_ASK_MS = 300;

const SENDING_KEYS: readonly string[] = ["Enter", "NumpadEnter"];
/** A dialog may interrupt them half done. */
const LONG_KINDS: readonly string[] = ["fill", "type", "drag"];

/** In the page: null when no invalid field has the focus. */
const READ = `(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = at.shadowRoot?.activeElement ?? at.contentDocument?.activeElement) at = inner;
  if (!at || !at.validationMessage || at.form?.noValidate || !at.matches(":user-invalid")) return null;
  const words = [at.labels?.[0]?.textContent, at.getAttribute("aria-label"), at.placeholder, at.name];
  const name = words.find((word) => typeof word === "string" && word.trim() !== "") ?? "";
  return [name, at.validationMessage].map((word) => String(word).replace(/\\s+/g, " ").trim().slice(0, 200));
})()`;

export function createAct(handle: PageHandle, parts: PageParts): BrowserPage["act"] {
  const { work, pendingEvents, guard, dialogs, popups, loading, choosers, change, description } =
    parts;
  const { tell } = pendingEvents;

  const act = (action: PageAction, scope: PageScope): Promise<ActOutcome> => {
    const { perform, ...limits } = actFor(action);
    choosers.expectOf("ref" in action ? action.ref : undefined);
    let hasBegun = () => false;
    let given: string | undefined;
    const interrupted = (error: Error) => {
      const isBegun = action.kind !== "wait" && hasBegun();
      if (isBegun && LONG_KINDS.includes(action.kind)) return interruptedBy(error);
      return interruptedBy(error, { isDone: isBegun });
    };
    const acted = work.run({ scope, ...limits, interrupted }, async (time) => {
      ({ hasBegun } = time);
      const watched = change.begin(time);
      // If this fails, the act fails too and reports it.
      watched.catch(() => undefined);
      const popupCount = popups.count();
      const stopFollowing = followAct(handle, tell);
      const isExpected = action.kind === "click" && opensTabs(action);
      const expectNoMore = isExpected ? popups.expectAny() : () => undefined;
      try {
        const { frame, result, opensTab, scrolled } = await perform({ handle, guard, time, tell });
        given = result;
        await watched;
        if (opensTab) await popups.moreThan(popupCount, time);
        const outcome = await readChange(action, { time, frame, sinceMs: time.lastMs() });
        return {
          change: { ...(scrolled && { scrolled }), ...outcome },
          ...(result !== undefined && { result }),
        };
      } finally {
        stopFollowing();
        expectNoMore();
      }
    });
    return acted.catch(async (error: unknown) => {
      const isClosed = handle.page.isClosed();
      if (!hasBegun() || (isClosed && action.kind === "wait")) throw error;
      if (isClosed) return { change: describeClosed() };
      if (!isTimeout(error)) throw error;
      // The script ended, but no time is left to read the page.
      if (given !== undefined) return { change: await describeUnseen(scope.signal), result: given };
      const address = loading.address();
      if (address !== undefined) return { change: await describeComing(address, scope.signal) };
      throw action.kind === "wait" ? error : halfDone(limits.what, error);
    });
  };
  const readChange = async (
    action: PageAction,
    { time, ...done }: Done & { readonly time: WorkTime },
  ): Promise<PageChange> => {
    let invalid: Promise<string | undefined> | undefined;
    const whenStill = () => {
      invalid = readInvalidField(handle.page, { action, signal: time.signal });
    };
    const changed = await change.read(time, { ...done, whenStill });
    const invalidEvent = changed.isNewDocument ? undefined : await invalid;
    return invalidEvent === undefined
      ? changed
      : { ...changed, events: [...changed.events, invalidEvent] };
  };
  const describeComing = async (address: string, signal: AbortSignal) => {
    tell(`${address} has not answered yet; the next call waits for it.`);
    return describeUnseen(signal);
  };
  const describeUnseen = async (signal: AbortSignal) => ({
    ...change.describe(await description.read(signal)),
    isUnsettled: true,
  });
  const describeClosed = () => {
    const { targetId } = handle;
    tell(`Tab ${targetId} closed while this was done.`);
    const reason = "the tab is closed";
    return change.describe({
      ...{ targetId, title: "", url: "", urlUnavailableReason: reason, isCurrent: false },
    });
  };
  return (action, scope) => act(action, scope).finally(dialogs.forgetAnswer);
}

async function readInvalidField(
  page: Page,
  { action, signal }: { readonly action: PageAction; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (!maySend(action)) return undefined;
  const limit = { timeoutMs: MAX_ASK_MS, signal, what: "the field with the focus" };
  const found: unknown = await within(limit, () => page.evaluate(READ)).catch(() => null);
  if (!Array.isArray(found)) return undefined;
  const [name, message] = found.map(String);
  const field = name ? `the field "${shown(name)}"` : "the field with the focus";
  return `The browser finds ${field} not valid, so its form is not sent: "${shown(message ?? "")}"`;
}

function maySend(action: PageAction): boolean {
  if (action.kind === "press") return SENDING_KEYS.includes(action.key);
  if (action.kind === "type") return action.submit === true;
  return action.kind === "click" || action.kind === "clickCoords";
}
