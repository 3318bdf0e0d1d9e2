// `clawtools tools explain`: why a tool is offered or not, and how to bring it back.

import { findParts } from "../../../config/index.js";
import type { ExplainRow } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { webSearch } from "../../../tools/web_search/index.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { AUDIENCE_FLAGS } from "../../flags.js";
import { formatColumns, wrapText } from "../../terminal/wrap-text.js";
import type { UsableConfig } from "../../usable-config.js";
import { type ToolkitUse, withToolkit } from "../../with-toolkit.js";
import { readSearchSetup } from "../configure/sections.js";
import { type Edit, listEdits } from "./describe-change.js";

const EXIT_ABSENT = 1;
const MAX_REASON_CHARS = 1_000;

export const command: Command = {
  usage: "[TOOL]",
  notes: [
    "With TOOL: the reason, the rule in the config, and the change that brings the tool back.",
    "The exit code is 1 when that tool is absent.",
  ],
  flags: AUDIENCE_FLAGS,
  async run(call) {
    const [name] = call.words;
    return await withToolkit(call, async (use) =>
      name === undefined ? explainAll(call, use) : explainOne(call, { ...use, name }),
    );
  },
};

function explainAll(call: CommandCall, { toolkit, asWritten }: ToolkitUse): number {
  const { width } = call;
  const { green, yellow } = call.output.style;
  const rows = asWritten(toolkit.explain());
  const present = rows.filter(({ status }) => status === "present");
  const absent = rows.filter(({ status }) => status === "absent");
  return show(call, rows, () => {
    const columns = [...present, ...absent].map(({ id, status, reason }): [string, string] => [
      toPrintable(id),
      status === "present"
        ? green("✓ present")
        : `${yellow("! absent:")} ${toPrintable(reason, MAX_REASON_CHARS)}`,
    ]);
    const summary = `${present.length} present, ${absent.length} absent. \`clawtools tools explain TOOL\` shows how to bring one back.`;
    return [...formatColumns({ rows: columns, width }), "", ...wrapText(summary, width)];
  });
}

async function explainOne(
  call: CommandCall,
  { toolkit, config, asWritten, name }: ToolkitUse & { readonly name: string },
): Promise<number> {
  // The sandbox is known only after it was tried.
  if (toolkit.explain(name).facts !== undefined) await toolkit.commandFacts();
  const found = await withSetup(toolkit.explain(name), config);
  const row = asWritten(found);
  show(call, row, () => describeRow(row, { width: call.width, config, asWritten }));
  return row.status === "present" ? 0 : EXIT_ABSENT;
}

/** A tool may be present without a search provider. */
async function withSetup(row: ExplainRow, { config }: UsableConfig): Promise<ExplainRow> {
  if (row.id !== webSearch.name || row.status === "absent") return row;
  return { ...row, facts: [(await readSearchSetup(config)).text] };
}

function describeRow(
  row: ExplainRow,
  {
    width,
    config,
    asWritten,
  }: { readonly width: number } & Pick<ToolkitUse, "config" | "asWritten">,
): string[] {
  const { id, status, code, reason, rule, restore, facts = [] } = row;
  const verdict = status === "present" ? "present" : `absent: ${toPrintable(reason, 1_000)}`;
  const lines = wrapText(`${toPrintable(id)} is ${verdict}`, width);
  if (rule !== undefined) lines.push(...wrapText(`Rule: ${toPrintable(rule, 1_000)}`, width));
  if (restore !== undefined) {
    const aim = rule === undefined ? "To enable it" : "To lift the rule";
    return [...lines, ...describeRestore({ aim, restore, config, width, asWritten })];
  }
  for (const fact of facts) lines.push(...wrapText(toPrintable(fact, 1_000), width));
  if (code !== "denied") return lines;
  return [...lines, ...wrapText("No config change alone brings it back.", width)];
}

/** The patch is not wrapped, so that it can be copied. */
function describeRestore(options: {
  readonly aim: string;
  readonly restore: unknown;
  readonly config: UsableConfig;
  readonly width: number;
  readonly asWritten: ToolkitUse["asWritten"];
}): string[] {
  const { aim, restore, config, width } = options;
  const edits = listEdits(options.asWritten(config.config), restore);
  const changes = edits.flatMap(({ text }) => wrapText(`Change: ${text}`, width));
  const file = config.path === undefined ? "the config" : toPrintable(config.path, 4_096);
  const place = config.parts.length > 1 ? describeParts(edits, config) : `merge this into ${file}`;
  const how = `${aim}, ${place} (objects merge by key, lists with ids merge by id, other lists are replaced):`;
  return [...changes, ...wrapText(how, width), JSON.stringify(restore, null, 2)];
}

/** A patch of the main file could only add to lists of included files. */
function describeParts(edits: readonly Edit[], { parts }: UsableConfig): string {
  const files = edits.flatMap(({ path }) => findParts(parts, keysOf(path)));
  const shown = [...new Set(files)].map((file) => toPrintable(file, 4_096)).join(", ");
  return shown === ""
    ? "change one of the files that the config includes"
    : `change the rule in ${shown}, because included lists are concatenated`;
}

function keysOf(path: Edit["path"]): string[] {
  const end = path.findIndex((step) => typeof step === "number");
  return path.slice(0, end === -1 ? undefined : end).map(String);
}
