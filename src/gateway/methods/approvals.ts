// Methods about approvals: the list of what commands may run, and questions that wait for an answer.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ApprovalsDocument, type ApprovalsEntry, parseApprovals } from "../../config/index.js";
import { ToolError, ToolInputError, t } from "../../core/index.js";
import { APPROVALS_FILE_NAME, createGrantsFile } from "../../drivers/approvals/index.js";
import { createProcessMarks } from "../../drivers/store/index.js";
import { defineMethod, type GatewayServices } from "../services.js";

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TEXT = 64 * 1024;
/** What clients of the protocol know of an entry; the rest stays in the file. */
const WIRE_FIELDS = [
  "id",
  "pattern",
  "argPattern",
  "lastUsedAt",
  "lastUsedCommand",
  "lastResolvedPath",
] as const satisfies readonly (keyof ApprovalsEntry)[];

const text = (description: string) => t.optional(t.string({ description, maxLength: MAX_TEXT }));

const get = defineMethod({
  name: "exec.approvals.get",
  params: t.object({}),
  scope: "operator.admin",
  help: "The list of commands that may run.",
  run: ({ services }) => readList(services),
});

const set = defineMethod({
  name: "exec.approvals.set",
  params: t.object({
    file: t.record(t.unknown(), { description: "The whole list." }),
    baseHash: t.optional(t.string({ description: "`hash` of the last get.", minLength: 1 })),
  }),
  scope: "operator.admin",
  help: "Replaces the list of commands that may run.",
  async run({ services }, { file, baseHash }) {
    const parsed = parseApprovals(file);
    if (!parsed.ok) {
      throw new ToolInputError(`invalid exec.approvals.set params: ${parsed.problems.join("; ")}`);
    }
    const grants = openGrants(services);
    await grants.change((before) => {
      const isKnown = existsSync(grants.place);
      if (isKnown && baseHash === undefined) {
        throw new ToolInputError(
          "exec approvals base hash required; re-run exec.approvals.get and retry",
          {
            reason: "base_hash_required",
          },
        );
      }
      if (isKnown && baseHash !== hashOf(toWire(before))) {
        throw new ToolError(
          "conflict",
          "exec approvals changed since last load; re-run exec.approvals.get and retry",
          {
            reason: "base_hash_stale",
          },
        );
      }
      return withKeptFields(parsed.document, before);
    });
    return await readList(services);
  },
});

const request = defineMethod({
  name: "exec.approval.request",
  params: t.object({
    id: t.optional(t.string({ description: "Default: made.", minLength: 1, maxLength: 128 })),
    command: t.string({ description: "What is to run.", minLength: 1, maxLength: MAX_TEXT }),
    timeoutMs: t.optional(t.integer({ description: "How long to wait.", minimum: 1 })),
    cwd: t.optional(t.unknown()),
    host: t.optional(t.unknown()),
    agentId: t.optional(t.unknown()),
    sessionKey: t.optional(t.unknown()),
    warningText: t.optional(t.unknown()),
    twoPhase: t.optional(t.boolean({ description: "Answer `accepted` first." })),
  }),
  scope: "operator.approvals",
  help: "Asks operators whether a command may run, and waits for the answer.",
  async run({ services, signal, respond }, params) {
    const {
      id = services.random.hex(16),
      timeoutMs = DEFAULT_TIMEOUT_MS,
      twoPhase,
      ...shown
    } = params;
    if (twoPhase === true) {
      const createdAtMs = Math.floor(services.clock.now());
      respond({ status: "accepted", id, createdAtMs, expiresAtMs: createdAtMs + timeoutMs });
    }
    return await services.approvals.ask({ id, request: shown, timeoutMs, signal });
  },
});

const resolve = defineMethod({
  name: "exec.approval.resolve",
  params: t.object({
    id: t.string({
      description: "The request, or the first 4 or more characters of its id.",
      minLength: 1,
    }),
    decision: t.string({ description: "`allow-once`, `allow-always` or `deny`.", minLength: 1 }),
    reason: text("Why."),
  }),
  scope: "operator.approvals",
  help: "Answers a question about a command; the first answer counts.",
  async run({ services, principal }, { id, decision }) {
    const by = `${principal.clientName ?? "an operator"} over the gateway`;
    await services.approvals.resolve({ id, decision, by });
    return { ok: true };
  },
});

const list = defineMethod({
  name: "exec.approval.list",
  params: t.object({}),
  scope: "operator.approvals",
  help: "Questions about commands that wait for an answer.",
  run: ({ services }) => services.approvals.list(),
});

export const APPROVAL_METHODS = [get, set, request, resolve, list] as const;

function openGrants({ stateDir, clock, random }: GatewayServices) {
  return createGrantsFile({
    path: join(stateDir, APPROVALS_FILE_NAME),
    clock,
    random,
    owners: createProcessMarks(),
  });
}

async function readList(services: GatewayServices) {
  const grants = openGrants(services);
  const file = toWire(await grants.read());
  const { security = "allowlist", ask = "on-miss" } = services.config.current().tools?.exec ?? {};
  const { defaults = {} } = file;
  return {
    path: grants.place,
    exists: existsSync(grants.place),
    hash: hashOf(file),
    file,
    resolvedDefaults: {
      security: defaults.security ?? security,
      ask: defaults.ask ?? ask,
      askFallback: defaults.askFallback ?? "deny",
      autoAllowSkills: false,
    },
  };
}

function toWire({ version, defaults, agents = {} }: ApprovalsDocument) {
  const shown = Object.entries(agents).map(([name, { allowlist, ...rules }]) => [
    name,
    { ...rules, ...(allowlist === undefined ? {} : { allowlist: allowlist.map(toWireEntry) }) },
  ]);
  return {
    version,
    ...(defaults === undefined ? {} : { defaults }),
    agents: Object.fromEntries(shown),
  };
}

function toWireEntry(entry: ApprovalsEntry) {
  const known = WIRE_FIELDS.flatMap((name) =>
    entry[name] === undefined ? [] : [[name, entry[name]]],
  );
  const source = entry.source === "allow-always" ? { source: entry.source } : {};
  return { ...Object.fromEntries(known), ...source };
}

/** Entries that come back by their id keep what the protocol does not carry: expiry, who added them. */
function withKeptFields(next: ApprovalsDocument, before: ApprovalsDocument): ApprovalsDocument {
  const old = new Map(
    Object.values(before.agents ?? {})
      .flatMap(({ allowlist = [] }) => allowlist)
      .flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry] as const])),
  );
  const agents = Object.entries(next.agents ?? {}).map(([name, { allowlist, ...rules }]) => {
    const kept = allowlist?.map((entry) => ({ ...old.get(entry.id ?? ""), ...entry }));
    return [name, { ...rules, ...(kept === undefined ? {} : { allowlist: kept }) }];
  });
  return {
    ...next,
    ...(before.socket ? { socket: before.socket } : {}),
    agents: Object.fromEntries(agents),
  };
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
