// The gate in front of every command: decides by the list, asks where it must, and gives a pass for
// exactly what was allowed.

import type { ApprovalsDocument } from "../../config/index.js";
import type { CommandDecision } from "../../core/command/index.js";
import type {
  Approver,
  Clock,
  CommandGate,
  GatePass,
  GateRequest,
  RandomSource,
  Store,
} from "../../core/index.js";
import { abortError, isToolError } from "../../core/index.js";
import { createAsking } from "./asking.js";
import type { ApprovalsBook } from "./book/book.js";
import type { ProcessOwners } from "./book/lock.js";
import { bindsContent, type DecisionGround, decide, proposeGrants, usedEntries } from "./decide.js";
import { type EffectiveRules, readEffective } from "./document/effective.js";
import { EMPTY_APPROVALS } from "./document/parse.js";
import { denied, securityDeny } from "./errors.js";
import { createPass } from "./pass.js";
import { createEntryUses } from "./uses.js";

const DEFAULT_TIMEOUT_MS = 300_000;

export interface CommandGateOptions extends DecisionGround {
  readonly book: ApprovalsBook;
  /** The program's own way to ask; other processes are reached through the store. */
  readonly approver?: Approver | undefined;
  /** For how long an answer is waited for; 5 minutes when absent. */
  readonly timeoutMs?: number | undefined;
  /** Opened at the first question; undefined: nobody but `approver` can be asked. */
  readonly store: () => Promise<Store | undefined>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly owners: ProcessOwners;
  /** What went wrong without stopping a command. */
  readonly report: (problem: { readonly message: string; readonly cause: unknown }) => void;
}

export interface ClosableGate extends CommandGate {
  /** Writes what is not written yet. The store stays open. */
  close(): Promise<void>;
}

type Unread = Omit<GateRequest, "plan" | "refusal">;

export function createCommandGate(options: CommandGateOptions): ClosableGate {
  const { book, clock } = options;
  const uses = createEntryUses(options);
  const asking = createAsking({ ...options, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS });

  function allow(
    request: GateRequest,
    { by, decision }: Pick<GatePass, "by"> & { readonly decision: CommandDecision },
  ) {
    uses.note(usedEntries(decision), request);
    const holdsFor = by === "allowlist" && !bindsContent(decision) ? "words" : "content";
    return createPass({ by, rule: decision.message, request, clock, holdsFor });
  }

  /** When nobody can be asked, or nobody answers. */
  function fallBack(
    request: GateRequest,
    { rules, refusal }: { readonly rules: EffectiveRules; readonly refusal: unknown },
  ): GatePass {
    if (rules.askFallback === "full") {
      return createPass({ by: "full", rule: 'askFallback "full"', request, clock });
    }
    if (rules.askFallback === "deny") throw refusal;
    const strict = { ...rules, security: "allowlist", ask: "off" } as const;
    const decision = decide(request, { rules: strict, ground: options });
    if (decision.outcome !== "allow") throw refusal;
    return allow(request, { by: "allowlist", decision });
  }

  async function readRules(request: Unread): Promise<EffectiveRules> {
    const document = await readDocument(book, request);
    return readEffective(document, { ...request, nowMs: clock.now() });
  }

  return {
    async passesAll(request) {
      if (request.security !== "full" || request.ask !== "off") return false;
      const { security, ask } = await readRules(request);
      return security === "full" && ask === "off";
    },
    async authorise(request) {
      if (request.signal.aborted) throw abortError(request.signal);
      const rules = await readRules(request);
      if (rules.security === "deny") throw securityDeny(request, book.place);
      const decision = decide(request, { rules, ground: options });
      if (decision.outcome === "deny") throw denied(request, decision);
      if (decision.outcome === "allow") {
        return allow(request, { by: rules.security === "full" ? "full" : "allowlist", decision });
      }
      const proposal = proposeGrants(request, { rules, ground: options });
      const outcome = await asking.ask({ request, proposal, why: decision.message });
      return outcome.isAnswered
        ? outcome.pass
        : fallBack(request, { rules, refusal: outcome.refusal });
    },
    close: uses.close,
  };
}

/** A list that cannot be read stops every command but one that is contained and may do all there. */
async function readDocument(book: ApprovalsBook, request: Unread): Promise<ApprovalsDocument> {
  try {
    return await book.read();
  } catch (error) {
    const isBroken = isToolError(error) && error.reason === "approvals_broken";
    const { host, security, ask } = request;
    const isContained = host === "sandbox" && security === "full" && ask === "off";
    if (isBroken && isContained) return EMPTY_APPROVALS;
    throw error;
  }
}
