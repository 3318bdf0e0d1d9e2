// `clawtools approvals list`: requests that wait, one of them whole, or what was answered before.

import { showVariables, showWord } from "../../../core/command/index.js";
import {
  type LedgerRecord,
  type ListedRequest,
  readLedger,
} from "../../../drivers/approvals/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { shellQuote } from "../../../lib/system/shell-quote.js";
import { formatQuestion, formatSpan } from "../../approvals/prompt.js";
import { type CommandCall, printJson, printLines } from "../../command-call.js";
import { formatColumns } from "../../wrap-text.js";
import { findRequest } from "./find-request.js";
import { withApprovals } from "./with-approvals.js";

const LISTED = 50;

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, words, width } = call;
  const isJson = switches.has("json");
  return await withApprovals(call, async ({ table, store, clock }) => {
    if (switches.has("past")) {
      const records = await readLedger(store, LISTED);
      if (isJson) printJson(output, records);
      else printLines(output, formatPast(records, width));
      return 0;
    }
    const [name] = words;
    if (name !== undefined) {
      const { question } = await findRequest(table, name);
      if (isJson) printJson(output, question);
      else printLines(output, formatQuestion(question, { width, nowMs: clock.now() }));
      return 0;
    }
    const requests = await table.list();
    if (isJson)
      printJson(
        output,
        requests.map(({ question }) => question),
      );
    else printLines(output, formatRequests(requests, { call, nowMs: clock.now() }));
    return 0;
  });
}

function formatRequests(
  requests: readonly ListedRequest[],
  { call, nowMs }: { readonly call: CommandCall; readonly nowMs: number },
): string[] {
  if (requests.length === 0) return ["No command waits for an answer."];
  const rows = requests.map(({ question, isAbandoned }): [string, string] => [
    question.slug,
    [
      toPrintable(question.command),
      `(agent ${showWord(question.agentId ?? "main")}, in ${showWord(question.cwd)},`,
      ...showVariables(question.env).map((text) => `with ${text},`),
      isAbandoned
        ? "whoever asked has ended)"
        : `${formatSpan(question.expiresAtMs - nowMs)} left)`,
    ].join(" "),
  ]);
  return [...formatColumns({ rows, width: call.width }), "", ...showNextCommands(requests, call)];
}

/** As they can be typed, each on a line of its own, for the first that can be answered. */
function showNextCommands(
  requests: readonly ListedRequest[],
  { texts, ownCommand }: Pick<CommandCall, "texts" | "ownCommand">,
): string[] {
  const folder = texts["state-dir"];
  const flag = folder === undefined ? "" : ` --state-dir ${shellQuote(folder)}`;
  const next = requests.find(({ isAbandoned }) => !isAbandoned);
  const show = (action: string, { question }: ListedRequest) =>
    `  ${ownCommand} approvals ${action} ${question.slug}${flag}`;
  const [first] = requests;
  const named = next ?? first;
  return [
    ...(named ? [show("list", named)] : []),
    ...(next ? ["approve", "deny"].map((action) => show(action, next)) : []),
  ];
}

function formatPast(records: readonly LedgerRecord[], width: number): string[] {
  if (records.length === 0) return ["Nothing was answered yet."];
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
