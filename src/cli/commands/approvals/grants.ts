// `clawtools approvals grants`: the list of what may run without approval.

import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type ApprovalsDocument, findAgent, loadConfig } from "../../../config/index.js";
import { isExactPattern, parsePattern, showWord } from "../../../core/command/index.js";
import { type CommandGrant, foldName, ToolError } from "../../../core/index.js";
import {
  addGrants,
  isExpired,
  type NamedEntry,
  nameEntries,
  removeGrant,
  writeLedger,
} from "../../../drivers/approvals/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { parseSpanMs } from "../../../lib/time-span.js";
import { toUuid } from "../../../lib/uuid.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { UsageError } from "../../failure.js";
import { JSON_FLAG } from "../../flags.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { createReachReader } from "./grant-reach.js";
import { formatGrant } from "./prompt.js";
import { type ApprovalsUse, withApprovals } from "./with-approvals.js";

const ID_BYTES = 16;
const SOURCE = "grants add";
const GLOB = /[*?]/;
/** Valid without being in the config. */
const ANY_AGENT: readonly string[] = ["main", "*"];

type Action = (call: CommandCall, use: ApprovalsUse) => Promise<number>;

const ACTIONS: Readonly<Record<string, Action>> = { list, add, remove };

export const command: Command = {
  usage: "[list|add|remove] [WHAT]",
  notes: [
    "add PROGRAM: an absolute path, in which * matches one name and ** several, or a bare program name. Without --args it covers the arguments that a profile knows to be harmless, every argument of a program that you installed yourself, and nothing of others; `add` says which.",
    "list: with --agent only the entries of that agent.",
    "remove ID: the id that list shows.",
  ],
  flags: {
    "--args PATTERN": "Only with such arguments: a regular expression for all, joined by spaces.",
    "--agent ID": "For this agent (default main); `*` is every agent.",
    "--for TIME": "Expires after this time: 90s, 30m, 12h, 7d.",
    ...JSON_FLAG,
  },
  async run(call) {
    const action = ACTIONS[call.words[0] ?? "list"] ?? list;
    return await withApprovals(call, (use) => action(call, use));
  },
};

interface ListedGrant extends NamedEntry {
  readonly agent: string;
}

async function list(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const { width, texts } = call;
  const grants = listGrants(await use.grantsFile.read()).filter(
    ({ agent }) => texts.agent === undefined || foldName(agent) === foldName(texts.agent),
  );
  if (grants.length === 0) {
    const whom = texts.agent === undefined ? "" : ` for agent ${showWord(texts.agent)}`;
    const none = `Nothing is granted${whom} in ${use.grantsFile.place}.`;
    return show(call, grants, () => wrapText(none, width));
  }
  const reachOf = await createReachReader(call);
  const rows: [string, string][] = [];
  for (const grant of grants) {
    const facts = describeFacts(grant, use.clock.now());
    const what = `${formatGrant(grant)}${await reachOf(grant)} ${facts}`;
    rows.push([toPrintable(grant.id), what]);
  }
  return show(call, grants, () => formatColumns({ rows, width }));
}

function listGrants({ agents = {} }: ApprovalsDocument): ListedGrant[] {
  return Object.entries(agents).flatMap(([agent, rules]) =>
    nameEntries(agent, rules).map((entry) => ({ ...entry, agent })),
  );
}

function describeFacts(grant: ListedGrant, nowMs: number): string {
  const { agent, addedAt, addedBy, expiresAt, lastUsedAt, lastUsedCommand } = grant;
  // For an exact call without a description, the command is the only readable trace.
  const used = lastUsedCommand === undefined ? "" : ` for ${showWord(lastUsedCommand)}`;
  const facts = [
    `agent ${showWord(agent)}`,
    ...(addedBy === undefined ? [] : [`added by ${toPrintable(addedBy)}`]),
    ...(addedAt === undefined ? [] : [`on ${toDay(addedAt)}`]),
    ...(lastUsedAt === undefined ? [] : [`last used on ${toDay(lastUsedAt)}${used}`]),
    ...(expiresAt === undefined
      ? []
      : [`${isExpired(grant, nowMs) ? "expired" : "ends"} on ${toDay(expiresAt)}`]),
  ];
  return `(${facts.join(", ")})`;
}

function toDay(atMs: number): string {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
}

async function add(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const { texts, words, width } = call;
  const grant = await readGrant(words[1], texts.args);
  const { clock, random, by, grantsFile } = use;
  const nowMs = clock.now();
  const spanMs = texts.for === undefined ? undefined : parseSpanMs(texts.for);
  if (texts.for !== undefined && spanMs === undefined) {
    throw new UsageError("--for takes a number and a unit: 90s, 30m, 12h or 7d.");
  }
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
  await grantsFile.change((document) => {
    const edited = addGrants(document, request);
    added = edited.added;
    return edited.document;
  });
  if (added.length > 0) await note(use, { action: "grant-add", agentId: texts.agent, grant });
  const reach = await (await createReachReader(call))(grant);
  show(call, added, () => [
    ...wrapText(
      `${added.length === 0 ? "Already granted:" : "Added:"} ${formatGrant(grant)}${reach}.`,
      width,
    ),
    ...wrapText(`List: ${grantsFile.place}`, width),
  ]);
  await warnOfAgent(call);
  return 0;
}

/** An entry for an unknown agent is usually a typo. */
async function warnOfAgent({ texts, place, output }: CommandCall): Promise<void> {
  const { agent } = texts;
  if (agent === undefined || ANY_AGENT.includes(foldName(agent))) return;
  const loaded = await loadConfig(place);
  if (loaded.ok && findAgent(loaded.config, agent) !== undefined) return;
  output.warn(`warning: the config has no agent ${showWord(agent)}.`);
}

/** Entries are compared with the real path of a program, so a symlink is resolved here. */
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
    throw new ToolError("not_found", `Cannot find "${toPrintable(program)}" (${errnoOf(error)}).`, {
      reason: "program_missing",
      cause: error,
    });
  }
}

async function remove(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const [, id] = call.words;
  if (id === undefined) throw new UsageError("grants remove needs an ID, as grants list shows it.");
  let removed: NamedEntry | undefined;
  await use.grantsFile.change((document) => {
    const edited = removeGrant(document, id);
    removed = edited.removed;
    return edited.document;
  });
  if (removed === undefined) {
    throw new ToolError(
      "not_found",
      `Unknown grant "${toPrintable(id, 80)}". \`clawtools approvals grants list\` shows all grants.`,
      { reason: "grant_unknown" },
    );
  }
  await note(use, { action: "grant-remove", agentId: undefined, grant: removed });
  const done = `Removed: ${formatGrant(removed)}.`;
  return show(call, removed, () => wrapText(done, call.width));
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
