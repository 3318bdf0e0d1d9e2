// `clawtools mcp install`: the configuration of an MCP client, shown or written into its file. What the
// server would refuse is refused here.

import { realpath } from "node:fs/promises";
import { ToolError } from "../../core/index.js";
import { nearestName } from "../../lib/nearest-name.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-quote.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { UsageError } from "../failure.js";
import { assertServable } from "../mcp/assert-servable.js";
import { openNarrowed } from "../mcp/open-narrowed.js";
import { tellFailure } from "../tell-failure.js";
import { wrapText } from "../wrap-text.js";
import { CLIENTS, type McpClient, SCOPES, type Scope, type ServerCommand } from "./clients.js";
import { type Outcome, writeEntry } from "./write-entry.js";

const SERVER_NAME = "clawtools";
/** A file of a project is for everybody who works on it. */
const FILE_MODES: Readonly<Record<Scope, number>> = { project: 0o644, user: 0o600 };

interface Plan {
  readonly client: McpClient;
  readonly scope: Scope;
  readonly file: string;
  readonly server: ServerCommand;
  readonly entry: Readonly<Record<string, unknown>>;
}

export async function run(call: CommandCall): Promise<number> {
  return await tellFailure(call, async () => {
    const plan = await makePlan(call);
    const outcome = call.switches.has("write") ? await write(plan) : undefined;
    const { client, scope, file, entry } = plan;
    const document = { [client.key]: { [SERVER_NAME]: entry } };
    if (call.switches.has("json")) {
      const line = client.line?.(plan.server, scope);
      printJson(call.output, {
        client: client.id,
        scope,
        file,
        config: document,
        ...(line === undefined ? {} : { command: line }),
        written: outcome?.written ?? false,
        ...(outcome?.backup === undefined ? {} : { backup: outcome.backup }),
      });
      return 0;
    }
    if (outcome === undefined) printLines(call.output, showPlan(plan, document, call.width));
    else printLines(call.output, showOutcome(plan, outcome, call.width));
    return 0;
  });
}

async function makePlan(call: CommandCall): Promise<Plan> {
  const { texts, place, root } = call;
  assertServable(call);
  const client = findClient(texts.client ?? "");
  const scope = readScope(texts.scope);
  const { homeDir } = place;
  if (homeDir === undefined) {
    throw new ToolError("unavailable", "There is no home folder; set HOME to one.", {
      reason: "no_home_folder",
    });
  }
  await assertStarts(call);
  const named = client.file(scope, { root, home: homeDir, platform: process.platform });
  const server = await describeServer(call);
  const file = await realpath(named).catch(() => named);
  return { client, scope, file, server, entry: client.entry(server) };
}

/** The server's own checks: of the root, the config, the agent and what is to be offered. */
async function assertStarts(call: CommandCall): Promise<void> {
  const { toolkit, warn, close } = await openNarrowed(call, { stateDir: false });
  try {
    await toolkit.ready;
    warn();
  } finally {
    await close();
  }
}

async function write({ client, scope, file, entry }: Plan): Promise<Outcome> {
  const { key } = client;
  return await writeEntry({ file, key, name: SERVER_NAME, entry, mode: FILE_MODES[scope] });
}

function findClient(id: string): McpClient {
  const found = CLIENTS.find((client) => client.id === id);
  if (found !== undefined) return found;
  const ids = CLIENTS.map((client) => client.id);
  const nearest = nearestName(id, ids);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new UsageError(`--client must be one of ${ids.join(", ")}${hint === "" ? "." : hint}`);
}

function readScope(text: string | undefined): Scope {
  const scope = SCOPES.find((one) => one === (text ?? "project"));
  if (scope !== undefined) return scope;
  throw new UsageError(`--scope must be one of ${SCOPES.join(", ")}.`);
}

/** This Node and this program by their paths: a client that is not a shell may know other ones, or none. */
async function describeServer({ texts, switches, root }: CommandCall): Promise<ServerCommand> {
  const [, program = ""] = process.argv;
  const flags = ["profile", "allow", "deny", "agent", "config", "state-dir"].flatMap((name) =>
    texts[name] === undefined ? [] : [`--${name}`, texts[name]],
  );
  const given = ["read-only", "allow-local"].filter((name) => switches.has(name));
  return {
    command: process.execPath,
    args: [
      await realpath(program),
      "mcp",
      "--root",
      root,
      ...flags,
      ...given.map((name) => `--${name}`),
    ],
  };
}

function showPlan(plan: Plan, document: unknown, width: number): string[] {
  const { client, scope, file, server } = plan;
  const line = client.line?.(server, scope);
  return [
    ...wrapText(`${client.title} reads this from ${toPrintable(file, 4_096)}:`, width),
    JSON.stringify(document, null, 2),
    ...(line === undefined ? [] : ["", "Or by its own command:", line.map(shellQuote).join(" ")]),
    "",
    ...wrapText("Add --write to put it there; the rest of the file stays as it is.", width),
  ];
}

function showOutcome(
  { client, file }: Plan,
  { written, backup }: Outcome,
  width: number,
): string[] {
  const shown = toPrintable(file, 4_096);
  const what = written ? `Written to ${shown}.` : `${shown} says so already.`;
  const copy =
    backup === undefined ? "" : ` What was there before is in ${toPrintable(backup, 4_096)}.`;
  return [...wrapText(`${what}${copy}`, width), ...wrapText(client.nextStep, width)];
}
