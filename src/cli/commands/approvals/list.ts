// `clawtools approvals list`: pending requests, one request in full, or past answers.

import { showVariables, showWord } from "../../../core/command/index.js";
import {
  type LedgerRecord,
  type ListedRequest,
  readLedger,
} from "../../../drivers/approvals/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { formatColumns } from "../../terminal/wrap-text.js";
import { formatQuestion, formatSpan } from "./prompt.js";
import { findRequest, withApprovals } from "./with-approvals.js";

const LISTED = 50;

export const command: Command = {
  usage: "[REQUEST]",
  notes: ["REQUEST is the id of a request, or its beginning."],
  flags: { "--past": "Show past answers and who gave them, newest first.", ...JSON_FLAG },
  run: async (call) =>
    await withApprovals(call, async ({ table, store, clock }) => {
      const { width, words } = call;
      const { style } = call.output;
      const nowMs = clock.now();
      if (call.switches.has("past")) {
        const records = await readLedger(store, LISTED);
        return show(call, records, () => formatPast(records, width));
      }
      const [name] = words;
      if (name !== undefined) {
        const { question } = await findRequest(table, name);
        return show(call, question, () => formatQuestion(question, { width, nowMs, style }));
      }
      const requests = await table.list();
      const questions = requests.map(({ question }) => question);
      return show(call, questions, () => formatRequests(requests, { call, nowMs }));
    }),
};

function formatRequests(
  requests: readonly ListedRequest[],
  { call, nowMs }: { readonly call: CommandCall; readonly nowMs: number },
): string[] {
  if (requests.length === 0) return ["No command is waiting for approval."];
  const rows = requests.map(({ question, isAbandoned }): [string, string] => [
    question.slug,
    [
      toPrintable(question.command),
      `(agent ${showWord(question.agentId ?? "main")}, in ${showWord(question.cwd)},`,
      ...showVariables(question.env).map((text) => `with ${text},`),
      isAbandoned
        ? "the agent that asked has ended)"
        : `${formatSpan(question.expiresAtMs - nowMs)} left)`,
    ].join(" "),
  ]);
  return [...formatColumns({ rows, width: call.width }), "", ...showNextCommands(requests, call)];
}

function showNextCommands(
  requests: readonly ListedRequest[],
  { texts, ownCommand }: Pick<CommandCall, "texts" | "ownCommand">,
): string[] {
  const folder = texts["state-dir"];
  const flag = folder === undefined ? "" : ` --state-dir ${shellQuote(folder)}`;
  const next = requests.find(({ isAbandoned }) => !isAbandoned);
  const line = (action: string, { question }: ListedRequest) =>
    `  ${ownCommand} approvals ${action} ${question.slug}${flag}`;
  const [first] = requests;
  const named = next ?? first;
  return [
    ...(named ? [line("list", named)] : []),
    ...(next ? ["approve", "deny"].map((action) => line(action, next)) : []),
  ];
}

function formatPast(records: readonly LedgerRecord[], width: number): string[] {
  if (records.length === 0) return ["No past answers."];
  const rows = records.map((record): [string, string] => [
    new Date(record.atMs).toISOString(),
    [
      record.action,
      `by ${toPrintable(record.by)}:`,
      toPrintable(record.command ?? record.grants?.map(({ pattern }) => pattern).join(", ") ?? ""),
    ].join(" "),
  ]);
  return formatColumns({ rows, width });
}
