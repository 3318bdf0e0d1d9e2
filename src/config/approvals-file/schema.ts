// What stands in `exec-approvals.json`. Fields that are not named here are kept as they are.

import { type ArgumentsOf, COMMAND_ASK, COMMAND_SECURITY, t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";

export const APPROVALS_VERSION = 1;
const ASK_FALLBACKS = ["deny", "allowlist", "full"] as const;

const MAX_PATTERN_CHARS = 4_096;
const MAX_ENTRIES = 10_000;

const rules = lazy(() => ({
  security: t.optional(t.choice(COMMAND_SECURITY)),
  ask: t.optional(t.choice(COMMAND_ASK)),
  /** What happens when nobody can be asked, or nobody answers. */
  askFallback: t.optional(t.choice(ASK_FALLBACKS)),
  /** Read for the sake of files from elsewhere; there are no skill programs here. */
  autoAllowSkills: t.optional(t.boolean()),
}));

const entry = lazy(() =>
  t.object({
    id: t.optional(t.string({ minLength: 1, maxLength: 128 })),
    pattern: t.string({ minLength: 1, maxLength: MAX_PATTERN_CHARS }),
    argPattern: t.optional(t.string({ minLength: 1, maxLength: MAX_PATTERN_CHARS })),
    source: t.optional(t.string()),
    lastUsedAt: t.optional(t.number()),
    lastUsedCommand: t.optional(t.string()),
    lastResolvedPath: t.optional(t.string()),
    /** Milliseconds since the epoch, as `expiresAt`. */
    addedAt: t.optional(t.number()),
    addedBy: t.optional(t.string()),
    expiresAt: t.optional(t.number()),
    /** What it lets through, for people; it decides nothing. */
    shown: t.optional(t.string()),
  }),
);

const agent = lazy(() =>
  t.object({ ...rules(), allowlist: t.optional(t.array(entry(), { maxItems: MAX_ENTRIES })) }),
);

/** Made at its first use, as the schema of the config. */
export const approvalsSchema = lazy(() =>
  t.object({
    version: t.integer({ minimum: APPROVALS_VERSION, maximum: APPROVALS_VERSION }),
    socket: t.optional(t.object({ path: t.optional(t.string()), token: t.optional(t.string()) })),
    defaults: t.optional(t.object(rules())),
    agents: t.optional(t.record(agent())),
  }),
);

export type ApprovalsDocument = ArgumentsOf<ReturnType<typeof approvalsSchema>>;
export type ApprovalsAgent = ArgumentsOf<ReturnType<typeof agent>>;
export type ApprovalsEntry = ArgumentsOf<ReturnType<typeof entry>>;
export type AskFallback = (typeof ASK_FALLBACKS)[number];
