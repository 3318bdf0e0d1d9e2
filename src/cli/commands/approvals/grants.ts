// `clawtools approvals grants`: the list of what may run without being asked about.

import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import type { ApprovalsDocument } from "../../../config/index.js";
import { isExactPattern, parsePattern, showWord } from "../../../core/command/index.js";
import { type CommandGrant, ToolError } from "../../../core/index.js";
import {
  addGrants,
  isExpired,
  type NamedEntry,
  nameEntries,
  removeGrant,
  toUuid,
  writeLedger,
} from "../../../drivers/approvals/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { formatGrant } from "../../approvals/prompt.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { formatColumns, wrapText } from "../../wrap-text.js";
import { parseDuration } from "./duration.js";
import { type ApprovalsUse, withApprovals } from "./with-approvals.js";

const ID_BYTES = 16;
const SOURCE = "grants add";
const GLOB = /[*?]/;

type Action = (call: CommandCall, use: ApprovalsUse) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = { list, add, remove };

export async function run(call: CommandCall): Promise<number> {
  const [name = "list"] = call.words;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    throw new UsageError(
      `"${toPrintable(name, 80)}" is no action of grants: use list, add or remove.`,
    );
  }
  return await withApprovals(call, (use) => action(call, use));
}

interface ListedGrant extends NamedEntry {
  readonly agent: string;
}

async function list({ output, switches, width }: CommandCall, use: ApprovalsUse): Promise<number> {
  const grants = listGrants(await use.book.read());
  if (switches.has("json")) {
    printJson(output, grants);
    return 0;
  }
  if (grants.length === 0) {
    printLines(output, wrapText(`Nothing is granted in ${use.book.place}.`, width));
    return 0;
  }
  const rows = grants.map((grant): [string, string] => [
    toPrintable(grant.id),
    describe(grant, use.clock.now()),
  ]);
  printLines(output, formatColumns({ rows, width }));
  return 0;
}

function listGrants({ agents = {} }: ApprovalsDocument): ListedGrant[] {
  return Object.entries(agents).flatMap(([agent, rules]) =>
    nameEntries(agent, rules).map((entry) => ({ ...entry, agent })),
  );
}

function describe(grant: ListedGrant, nowMs: number): string {
  const { agent, addedAt, addedBy, expiresAt, lastUsedAt } = grant;
  const facts = [
    `agent ${showWord(agent)}`,
    ...(addedBy === undefined ? [] : [`added by ${toPrintable(addedBy)}`]),
    ...(addedAt === undefined ? [] : [`on ${toDay(addedAt)}`]),
    ...(lastUsedAt === undefined ? [] : [`last used on ${toDay(lastUsedAt)}`]),
    ...(expiresAt === undefined
      ? []
      : [`${isExpired(grant, nowMs) ? "expired" : "ends"} on ${toDay(expiresAt)}`]),
  ];
  return `${formatGrant(grant)} (${facts.join(", ")})`;
}

function toDay(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
}

async function add(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const { texts, words, output, switches, width } = call;
  const grant = await readGrant(words[1], texts.args);
  const { clock, random, by, book } = use;
  const nowMs = clock.now();
  const spanMs = texts.for === undefined ? undefined : parseDuration(texts.for);
  const request = {
    agentId: texts.agent,
    grants: [grant],
    source: SOURCE,
    addedBy: by,
    nowMs,
    expiresAtMs: spanMs === undefined ? undefined : nowMs + spanMs,
    newId: () => toUuid(random.hex(ID_BYTES)),
  };
  let added: readonly NamedEntry[] = [];
  await book.change((document) => {
    const edited = addGrants(document, request);
    added = edited.added;
    return edited.document;
  });
  if (added.length > 0) await note(use, { action: "grant-add", agentId: texts.agent, grant });
  if (switches.has("json")) printJson(output, added);
  else {
    const done = added.length === 0 ? "Stands there already:" : "Added:";
    printLines(output, wrapText(`${done} ${formatGrant(grant)}, in ${book.place}.`, width));
  }
  return 0;
}

/** Entries are compared with the real path of a program, so a link is followed once, here. */
async function readGrant(
  program: string | undefined,
  argPattern: string | undefined,
): Promise<CommandGrant> {
  if (program === undefined)
    throw new UsageError("grants add needs a PROGRAM, such as /usr/bin/make.");
  const isPath = program.includes("/");
  if (isPath && !isAbsolute(program)) {
    throw new UsageError("PROGRAM must be an absolute path, or a name without a slash.");
  }
  if (argPattern !== undefined) assertPattern(argPattern);
  const pattern = isPath && !GLOB.test(program) ? await toRealPath(program) : program;
  return { pattern, ...(argPattern === undefined ? {} : { argPattern }) };
}

function assertPattern(argPattern: string): void {
  if (isExactPattern(argPattern)) return;
  const parsed = parsePattern(argPattern);
  if (typeof parsed === "string") throw new UsageError(`--args cannot be used: ${parsed}.`);
}

async function toRealPath(program: string): Promise<string> {
  try {
    return await realpath(program);
  } catch (error) {
    throw new ToolError(
      "not_found",
      `"${toPrintable(program)}" cannot be found (${errnoOf(error)}).`,
      {
        reason: "program_missing",
        cause: error,
      },
    );
  }
}

async function remove(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const { words, output, switches, width } = call;
  const [, id] = words;
  if (id === undefined) throw new UsageError("grants remove needs an ID, as grants list shows it.");
  let removed: NamedEntry | undefined;
  await use.book.change((document) => {
    const edited = removeGrant(document, id);
    removed = edited.removed;
    return edited.document;
  });
  if (removed === undefined) {
    throw new ToolError(
      "not_found",
      `There is no grant "${toPrintable(id, 80)}"; \`clawtools approvals grants list\` shows them.`,
      { reason: "grant_unknown" },
    );
  }
  await note(use, { action: "grant-remove", agentId: undefined, grant: removed });
  if (switches.has("json")) printJson(output, removed);
  else printLines(output, wrapText(`Removed: ${formatGrant(removed)}.`, width));
  return 0;
}

async function note(
  { store, clock, by }: ApprovalsUse,
  record: {
    readonly action: "grant-add" | "grant-remove";
    readonly agentId: string | undefined;
    readonly grant: CommandGrant;
  },
): Promise<void> {
  const { action, agentId, grant } = record;
  const { pattern, argPattern } = grant;
  const grants = [{ pattern, ...(argPattern === undefined ? {} : { argPattern }) }];
  await writeLedger(store, { atMs: clock.now(), by, action, agentId, grants });
}
