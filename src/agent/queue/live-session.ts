// A session that this process works on: its transcript in memory and the context sent to the model.

import {
  type FoundEntry,
  isMainSession,
  type SessionStore,
  type Transcript,
} from "../../sessions/index.js";
import type { AgentParts } from "../agent-parts.js";
import { buildContext, type SessionContext } from "../context/prompt.js";
import type { ModelChoice } from "../run/ask.js";
import type { RunEnd } from "../run/run.js";
import type { Place } from "./lanes.js";

export interface LiveSession {
  readonly key: string;
  readonly parts: AgentParts;
  readonly found: FoundEntry;
  readonly transcript: Transcript;
  readonly choices: readonly ModelChoice[];
  /** The same until compaction, reset or another model. */
  context(): Promise<SessionContext>;
  renewContext(): void;
}

/** What runs in a session now. */
export interface ActiveRun {
  readonly runId: string;
  /** Messages between sessions that led to it. */
  hops(): number;
  readonly place: Place;
  stop(end: RunEnd): void;
}

export interface LiveSource {
  readonly sessions: SessionStore;
  readonly partsOf: (sessionKey: string) => AgentParts;
}

/** Reads again what another process may have changed; `known` is used when it is still current. */
export async function openLive(
  key: string,
  { sessions, partsOf, known }: LiveSource & { readonly known: LiveSession | undefined },
): Promise<LiveSession> {
  const parts = partsOf(key);
  const found = await sessions.entries.open(key);
  const choices = parts.choose(found.entry.modelOverride);
  const isCurrent = known !== undefined && (await sessions.isCurrent(known.transcript, found));
  const transcript = isCurrent ? known.transcript : await sessions.openTranscript(found);
  if (isCurrent && nameOf(known) === nameOf({ choices }))
    return { ...known, parts, found, choices };
  let made: Promise<SessionContext> | undefined;
  return {
    ...{ key, parts, found, transcript, choices },
    context() {
      made ??= makeContext({ key, parts, found, choices }).catch((error) => {
        made = undefined;
        throw error;
      });
      return made;
    },
    renewContext() {
      made = undefined;
    },
  };
}

/** By name: the descriptor is another object each time it is resolved. */
function nameOf({ choices }: Pick<LiveSession, "choices">): string {
  const { provider = "", id = "" } = choices[0]?.model ?? {};
  return `${provider}/${id}`;
}

async function makeContext({
  key,
  parts,
  found,
  choices,
}: Pick<LiveSession, "key" | "parts" | "found" | "choices">): Promise<SessionContext> {
  const [first] = choices;
  await parts.toolkit.ready;
  return buildContext({
    toolkit: parts.view({ sessionKey: key }),
    workspace: parts.workspace,
    isMain: isMainSession(key),
    extra: found.entry.instructions,
    model: first?.model ?? { provider: "", id: "" },
  });
}
