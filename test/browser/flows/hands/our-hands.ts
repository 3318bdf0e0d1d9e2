// The steps of a task by our `browser` tool, through the door that every call takes. What it says of
// the page after an act is read; acts that need no look in between go out as one batch.
import { type Act, createTally, type FilledField, type Hands, type Reply } from "./hands.js";

/** `toolkit.invoke`, as far as it is needed; the benchmarks hand in that of the built package. */
export type Invoke = (request: {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}) => Promise<{
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly details?: unknown;
  readonly isError: boolean;
}>;

/** How the first line of the answer about another document begins: the tab. */
const NEW_DOCUMENT = /^t\d+ /m;

export interface OurHands extends Hands {
  /** A call that is not counted. */
  call(args: Readonly<Record<string, unknown>>): ReturnType<Invoke>;
}

export function createOurHands(invoke: Invoke): OurHands {
  const tally = createTally();
  let count = 0;
  const call: OurHands["call"] = (args) => {
    count++;
    return invoke({ id: `browser_${count}`, name: "browser", arguments: args });
  };
  const counted = async (args: Readonly<Record<string, unknown>>, isLook = false) => {
    const { content, isError } = await call(args);
    const text = content.map((block) => block.text ?? "").join("\n");
    tally.add({ sent: { name: "browser", arguments: args }, got: text });
    const about = isLook || NEW_DOCUMENT.test(text) ? "page" : "change";
    return { about, text, isError } satisfies Reply;
  };
  return {
    call,
    open: (url) => counted({ action: "navigate", targetUrl: url }),
    look: () => counted({ action: "snapshot" }, true),
    act: (acts) => counted(toArguments(acts)),
    attach: ({ ref, paths }) => counted({ action: "upload", ref, paths }),
    waitFor: (text) => counted({ action: "act", kind: "wait", text }),
    spent: tally.spent,
    resetSpent: tally.reset,
    async close() {
      await call({ action: "stop" });
    },
  };
}

function toArguments(acts: readonly Act[]): Record<string, unknown> {
  const requests = acts.flatMap(toRequests);
  const [only] = requests;
  if (requests.length === 1) return { action: "act", ...only };
  return { action: "act", kind: "batch", actions: requests };
}

function toRequests(act: Act): Record<string, unknown>[] {
  switch (act.kind) {
    case "click":
      return [{ kind: "click", ref: act.ref }];
    case "type": {
      const { ref, text, submit } = act;
      return [{ kind: "type", ref, text, ...(submit ? { submit } : {}) }];
    }
    case "fill":
      return [{ kind: "fill", fields: act.fields.map(toField) }];
    case "press":
      return [{ kind: "press", key: act.key }];
    case "drag":
      return [{ kind: "drag", startRef: act.ref, endRef: act.endRef }];
    default:
      return act satisfies never;
  }
}

function toField({ ref, value }: FilledField): object {
  return { ref, value };
}
