// `clawtools approvals grants`: the list of what may run without being asked about.

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
  toUuid,
  writeLedger,
} from "../../../drivers/approvals/index.js";
import { errnoOf } from "../../../lib/errno.js";
import { toPrintable } from "../../../lib/printable.js";
import { createReachReader } from "../../approvals/grant-reach.js";
import { formatGrant } from "../../approvals/prompt.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { UsageError } from "../../failure.js";
import { formatColumns, wrapText } from "../../wrap-text.js";
import { type ApprovalsUse, withApprovals } from "./with-approvals.js";

const FORM = /^([1-9]\d{0,5})([smhd])$/;

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const ID_BYTES = 16;

const SOURCE = "grants add";

const GLOB = /[*?]/;

/** They are there without being listed. */
const ANY_AGENT: readonly string[] = ["main", "*"];

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

async function list(call: CommandCall, use: ApprovalsUse): Promise<number> {
  const { output, switches, width, texts } = call;
  const grants = listGrants(await use.grantsFile.read()).filter(
    ({ agent }) => texts.agent === undefined || foldName(agent) === foldName(texts.agent),
  );
  if (switches.has("json")) {
    printJson(output, grants);
    return 0;
  }
  if (grants.length === 0) {
    const whom = texts.agent === undefined ? "" : ` for agent ${showWord(texts.agent)}`;
    printLines(output, wrapText(`Nothing is granted${whom} in ${use.grantsFile.place}.`, width));
    return 0;
  }
  const reachOf = await createReachReader(call);
  const rows: [string, string][] = [];
  for (const grant of grants) {
    const facts = describeFacts(grant, use.clock.now());
    const what = `${formatGrant(grant)}${await reachOf(grant)} ${facts}`;
    rows.push([toPrintable(grant.id), what]);
  }
  printLines(output, formatColumns({ rows, width }));
  return 0;
}

function listGrants({ agents = {} }: ApprovalsDocument): ListedGrant[] {
  return Object.entries(agents).flatMap(([agent, rules]) =>
    nameEntries(agent, rules).map((entry) => ({ ...entry, agent })),
  );
}

function describeFacts(grant: ListedGrant, nowMs: number): string {
  const { agent, addedAt, addedBy, expiresAt, lastUsedAt, lastUsedCommand } = grant;
  // Of an exact call that nobody described, the command is the only readable trace.
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
  const { texts, words, output, switches, width } = call;
  const grant = await readGrant(words[1], texts.args);
  const { clock, random, by, grantsFile } = use;
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
  await grantsFile.change((document) => {
    const edited = addGrants(document, request);
    added = edited.added;
    return edited.document;
  });
  if (added.length > 0) await note(use, { action: "grant-add", agentId: texts.agent, grant });
  if (switches.has("json")) printJson(output, added);
  else {
    const done = added.length === 0 ? "Stands there already:" : "Added:";
    const reach = await (await createReachReader(call))(grant);
    const what = `${done} ${formatGrant(grant)}${reach}.`;
    printLines(output, [...wrapText(what, width), ...wrapText(`List: ${grantsFile.place}`, width)]);
    await warnOfAgent(call);
  }
  return 0;
}

/** An entry for an agent that the config does not know is a slip more often than not. */
async function warnOfAgent({ texts, place, output }: CommandCall): Promise<void> {
  const { agent } = texts;
  if (agent === undefined || ANY_AGENT.includes(foldName(agent))) return;
  const loaded = await loadConfig(place);
  if (loaded.ok && findAgent(loaded.config, agent) !== undefined) return;
  output.warn(`warning the config has no agent ${showWord(agent)}.`);
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
  await use.grantsFile.change((document) => {
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

/** Milliseconds. Throws a UsageError. */
function parseDuration(text: string): number {
  const [, count, unit = ""] = FORM.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) {
    throw new UsageError("--for takes a number and a unit: 90s, 30m, 12h or 7d.");
  }
  return Number(count) * unitMs;
}
