// `clawtools sessions`: the conversations in the state folder, also while a gateway uses it.

import { defaultAgentId, stateDir } from "../../../config/index.js";
import { ToolError } from "../../../core/index.js";
import { createSystemClock, createSystemRandom } from "../../../drivers/clock.js";
import { createSqliteStore } from "../../../drivers/store/index.js";
import { toPrintable } from "../../../lib/printable.js";
import {
  createSessionStore,
  matchSessions,
  parseSessionKey,
  type SessionStore,
  toSessionRow,
} from "../../../sessions/index.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { AGENT_FLAG, JSON_FLAG, readWhole } from "../../flags.js";
import { countOf, formatColumns } from "../../terminal/wrap-text.js";
import { readUsableConfig } from "../../usable-config.js";
import { useAndClose } from "../../use-and-close.js";

export const COMMANDS = {
  list: {
    flags: { ...AGENT_FLAG, ...JSON_FLAG },
    run: (call) =>
      withSessions(call, async (sessions) => {
        const request = { agentId: call.texts.agent?.toLowerCase() };
        const all = (await sessions.entries.all()).values();
        const found = matchSessions(all, { request, nowMs: Date.now() });
        const rows = found.map((one) => toSessionRow(one, { running: false }));
        return show(call, rows, () => (rows.length === 0 ? ["No sessions."] : format(call, rows)));
      }),
  },
  export: {
    usage: "KEY",
    notes: ["Prints every record of the transcript, one JSON object per line, oldest first."],
    flags: AGENT_FLAG,
    sample: "clawtools sessions export main > main.jsonl",
    run: (call) =>
      withSessions(call, async (sessions) => {
        const { config } = await readUsableConfig(call);
        const agentId = (call.texts.agent ?? defaultAgentId(config)).toLowerCase();
        const { key } = parseSessionKey(call.words[0] ?? "", { agentId });
        const found = await sessions.entries.get(key);
        if (found === undefined) {
          throw new ToolError(
            "not_found",
            `No session has the key "${toPrintable(key)}". \`clawtools sessions list\` lists them.`,
            { reason: "session_unknown" },
          );
        }
        for await (const line of sessions.export(found)) call.output.print(line);
        return 0;
      }),
  },
  purge: {
    notes: ["Deletes sessions and their transcripts for good. Main sessions stay."],
    flags: { "--days COUNT": "Delete sessions without activity for this many days.", ...JSON_FLAG },
    required: ["days"],
    sample: "clawtools sessions purge --days 90",
    run: (call) =>
      withSessions(call, async (sessions) => {
        const deleted = await sessions.purge(
          readWhole(call, "days", { min: 1 }) ?? Number.POSITIVE_INFINITY,
        );
        return show(call, { deleted }, () => [
          ...deleted.map((key) => toPrintable(key)),
          `Deleted ${countOf(deleted.length, "session")}.`,
        ]);
      }),
  },
} as const satisfies Record<string, Command>;

async function withSessions<T>(
  { place }: CommandCall,
  work: (sessions: SessionStore) => Promise<T>,
): Promise<T> {
  const source = { clock: createSystemClock(), random: createSystemRandom() };
  return await useAndClose(
    createSqliteStore({ folder: stateDir(place), ...source }),
    async (store) => await work(createSessionStore({ store, ...source })),
  );
}

function format({ width }: CommandCall, rows: readonly ReturnType<typeof toSessionRow>[]) {
  const columns = rows.map((row): [string, string] => {
    const facts = [
      new Date(row.updatedAtMs).toISOString().slice(0, 16).replace("T", " "),
      row.modelOverride ?? row.model ?? "",
      `${row.inputTokens} in, ${row.outputTokens} out, $${row.usd.toFixed(4)}`,
      row.label ?? "",
    ];
    return [toPrintable(row.key), toPrintable(facts.filter((text) => text !== "").join(" · "))];
  });
  return formatColumns({ rows: columns, width });
}
