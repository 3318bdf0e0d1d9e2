// `clawtools mcp install`: the config of an MCP client, shown or written into its file.

import { realpath } from "node:fs/promises";
import { ToolError } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG, NARROWING_FLAGS } from "../../flags.js";
import { wrapText } from "../../terminal/wrap-text.js";
import { useAndClose } from "../../use-and-close.js";
import { assertServable } from "./assert-servable.js";
import { CLIENTS, type McpClient, type Scope, type ServerCommand } from "./clients.js";
import { type Outcome, readInstalled, writeEntry } from "./write-entry.js";

const SERVER_NAME = "clawtools";
/** A project file is shared with everyone who works on the project. */
const FILE_MODES: Readonly<Record<Scope, number>> = { project: 0o644, user: 0o600 };
const TEXT_FLAGS = ["profile", "allow", "deny", "agent", "config", "state-dir"];
const SWITCHES = ["read-only", "allow-local"];

interface Plan {
  readonly client: McpClient;
  readonly scope: Scope;
  readonly file: string;
  readonly server: ServerCommand;
  readonly entry: Readonly<Record<string, unknown>>;
}

export const command: Command = {
  notes: [
    "--write keeps the rest of the file, what you added to the entry, and flags from an earlier install that are not given now; one copy of the old file is kept next to it.",
    "--root, --config and the flags that choose tools become part of what the client starts. What `clawtools mcp` would refuse is refused here.",
  ],
  flags: {
    "--client claude-code|cursor|vscode|zed": "The client to set up.",
    "--scope project|user": "This root only (the default), or all your projects with this root.",
    "--write": "Write it into the client's file.",
    ...NARROWING_FLAGS,
    ...JSON_FLAG,
  },
  required: ["client"],
  sample: "clawtools mcp install --client claude-code --write",
  async run(call) {
    const plan = await makePlan(call);
    const outcome = call.switches.has("write") ? await write(plan) : undefined;
    const { client, scope, file, entry } = plan;
    const config = { [client.key]: { [SERVER_NAME]: entry } };
    const line = client.line?.(plan.server, scope);
    const document = {
      ...{ client: client.id, scope, file, config },
      ...(line === undefined ? {} : { command: line }),
      written: outcome?.written ?? false,
      ...(outcome?.backup === undefined ? {} : { backup: outcome.backup }),
    };
    return show(call, document, () =>
      outcome === undefined
        ? showPlan(plan, config, call.width)
        : showOutcome(plan, outcome, call.width),
    );
  },
};

async function makePlan(call: CommandCall): Promise<Plan> {
  const { texts, place, root } = call;
  assertServable(call);
  const client = CLIENTS.find(({ id }) => id === texts.client);
  const scope: Scope = texts.scope === "user" ? "user" : "project";
  const { homeDir } = place;
  if (homeDir === undefined || client === undefined) {
    throw new ToolError("unavailable", "The home folder is unknown. Set HOME.", {
      reason: "no_home_folder",
    });
  }
  await assertStarts(call);
  const named = client.file(scope, { root, home: homeDir, platform: process.platform });
  const file = await realpath(named).catch(() => named);
  const earlier = await readInstalled({ file, key: client.key, name: SERVER_NAME });
  const server = await describeServer(call, readFlags(earlier));
  return { client, scope, file, server, entry: client.entry(server) };
}

/** Runs the server's own checks. */
async function assertStarts(call: CommandCall): Promise<void> {
  const { openNarrowed } = await import("./open-narrowed.js");
  await useAndClose(await openNarrowed(call, { stateDir: false }), async ({ toolkit, warn }) => {
    await toolkit.ready;
    warn();
  });
}

async function write({ client, scope, file, entry }: Plan): Promise<Outcome> {
  const { key } = client;
  return await writeEntry({ file, key, name: SERVER_NAME, entry, mode: FILE_MODES[scope] });
}

/** Absolute paths, because a client may have another PATH. */
async function describeServer(
  { texts, switches, root }: CommandCall,
  earlier: ReadonlyMap<string, string>,
): Promise<ServerCommand> {
  const [, program = ""] = process.argv;
  const flags = TEXT_FLAGS.flatMap((name) => {
    const value = texts[name] ?? earlier.get(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const given = SWITCHES.filter((name) => switches.has(name) || earlier.has(name));
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

/** The flags of an earlier install. */
function readFlags(entry: unknown): ReadonlyMap<string, string> {
  const args: unknown = Reflect.get(Object(entry), "args");
  const words = Array.isArray(args) ? args.map(String) : [];
  const flags = words.slice(words.indexOf("mcp") + 1);
  return new Map(
    flags.flatMap((word, index) =>
      word.startsWith("--") ? [[word.slice(2), flags[index + 1] ?? ""] as const] : [],
    ),
  );
}

function showPlan(plan: Plan, document: unknown, width: number): string[] {
  const { client, scope, file, server } = plan;
  const line = client.line?.(server, scope);
  return [
    ...wrapText(`${client.title} reads this from ${toPrintable(file, 4_096)}:`, width),
    JSON.stringify(document, null, 2),
    ...(line === undefined ? [] : ["", "Or by its own command:", line.map(shellQuote).join(" ")]),
    "",
    ...wrapText("Add --write to write it there; the rest of the file stays as it is.", width),
  ];
}

function showOutcome(
  { client, file }: Plan,
  { written, backup }: Outcome,
  width: number,
): string[] {
  const shown = toPrintable(file, 4_096);
  const what = written ? `Written to ${shown}.` : `${shown} already says so.`;
  const copy = backup === undefined ? "" : ` The old file is in ${toPrintable(backup, 4_096)}.`;
  return [...wrapText(`${what}${copy}`, width), ...wrapText(client.nextStep, width)];
}
