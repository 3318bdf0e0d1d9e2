// Parses the approvals document. What cannot be read is never taken for an empty list.
import { type ArgumentsOf, COMMAND_ASK, COMMAND_SECURITY, t } from "../core/index.js";
import { lazy } from "../lib/lazy.js";
import { nearestWithin } from "../lib/nearest-name.js";
import { checkValue } from "./check-value.js";
import { copyPlain } from "./parse.js";
import { createProblemList } from "./problem.js";
import type { SchemaNode } from "./schema.js";

export const APPROVALS_VERSION = 1;
const ASK_FALLBACKS = ["deny", "allowlist", "full"] as const;
const MAX_PATTERN_CHARS = 4_096;
const MAX_ENTRIES = 10_000;

const rules = lazy(() => ({
  security: t.optional(t.choice(COMMAND_SECURITY)),
  ask: t.optional(t.choice(COMMAND_ASK)),
  /** What happens when no one can be asked, or no one answers. */
  askFallback: t.optional(t.choice(ASK_FALLBACKS)),
  /** Accepted for files written by other programs; it has no effect here. */
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
    addedAt: t.optional(t.number()),
    addedBy: t.optional(t.string()),
    expiresAt: t.optional(t.number()),
    shown: t.optional(t.string()),
  }),
);

const agent = lazy(() =>
  t.object({ ...rules(), allowlist: t.optional(t.array(entry(), { maxItems: MAX_ENTRIES })) }),
);

const approvalsSchema = lazy(() =>
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

const MAX_LETTERS = 2;

/** Only these change what may run; shorter names are too near to too much. */
const DECISIVE = "security askFallback allowlist argPattern expiresAt agents defaults".split(" ");
/** Of other programs. */
const FOREIGN = "mcpTools";

export type ParsedApprovals =
  | { readonly ok: true; readonly document: ApprovalsDocument }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The document is a copy. Unknown keys are kept, unless they are a slip for one that decides. */
export function parseApprovals(value: unknown): ParsedApprovals {
  const problems = createProblemList();
  const copy = copyPlain(value, { problems, path: [] });
  if (!problems.hasErrors()) {
    // TypeBox's types say nothing of keywords such as `minimum`; the JSON below them has this shape.
    const node = approvalsSchema() as object as SchemaNode;
    checkValue(copy, { node, path: [], problems, hiddenPaths: new Set(), keepsUnknown: true });
  }
  const errors = problems.list().filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    return { ok: false, problems: errors.map(({ path, message }) => `${path} ${message}`.trim()) };
  }
  // The schema has just read it.
  const document = copy as ApprovalsDocument;
  const slip = findSlip(document);
  return slip === undefined ? { ok: true, document } : { ok: false, problems: [slip] };
}

function findSlip(document: ApprovalsDocument): string | undefined {
  const { defaults = {}, agents = {} } = document;
  const places: (readonly [place: string, value: object, known: readonly string[]])[] = [
    ["", document, Object.keys(approvalsSchema().properties)],
    ["defaults.", defaults, Object.keys(rules())],
  ];
  const ofAgent = [...Object.keys(agent().properties), FOREIGN];
  const ofEntry = Object.keys(entry().properties);
  for (const [name, given] of Object.entries(agents)) {
    places.push([`agents.${name}.`, given, ofAgent]);
    for (const [index, one] of (given.allowlist ?? []).entries()) {
      places.push([`agents.${name}.allowlist[${index}].`, one, ofEntry]);
    }
  }
  for (const [place, value, known] of places) {
    const slip = findIn(value, known);
    if (slip !== undefined) return `${place}${slip}`;
  }
  return undefined;
}

function findIn(value: object, known: readonly string[]): string | undefined {
  const decisive = known.filter((name) => DECISIVE.includes(name));
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const meant = nearestWithin({ name, known: decisive, maxLetters: MAX_LETTERS });
    if (meant !== undefined) return `${name} is not a field; did you mean ${meant}?`;
  }
  return undefined;
}
