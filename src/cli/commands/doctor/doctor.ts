// `clawtools doctor`: checks everything that clawtools depends on and says how to fix it.

import { toPrintable } from "../../../lib/printable.js";
import { type Command, type CommandCall, show } from "../../command.js";
import { JSON_FLAG } from "../../flags.js";
import { inOwnWords, toOwnCommand } from "../../own-command.js";
import { showMark } from "../../terminal/style.js";
import { type Columns, countOf, formatColumns, wrapText } from "../../terminal/wrap-text.js";
import { type Finding, LEVELS } from "./finding.js";

const EXIT_BROKEN = 1;

interface Reported extends Omit<Finding, "fix"> {
  readonly fixed?: string;
  readonly canFix: boolean;
}

export const command: Command = {
  notes: [
    "Checks Node, programs, the sandbox, the state folder, the config, the policy and the grants.",
    "--fix repairs permissions, creates missing folders and removes files that a crash left, and says so. A folder that others use too is left alone.",
    "The exit code is 1 when something is broken, 0 with warnings.",
  ],
  flags: { "--fix": "Fix what is safe to fix.", ...JSON_FLAG },
  async run(call) {
    const { examine } = await import("./examine.js");
    const reported = (await applyFixes(await examine(call), call)).map((one) =>
      one.remedy === undefined
        ? one
        : { ...one, remedy: toOwnCommand(one.remedy, call.ownCommand) },
    );
    const isBroken = reported.some(({ level, fixed }) => level === "broken" && fixed === undefined);
    show(call, { ok: !isBroken, findings: reported }, () => describe(reported, call));
    return isBroken ? EXIT_BROKEN : 0;
  },
};

async function applyFixes(
  findings: readonly Finding[],
  { switches }: CommandCall,
): Promise<Reported[]> {
  const reported: Reported[] = [];
  for (const { fix, ...finding } of findings) {
    const result = fix !== undefined && switches.has("fix") ? await tryFix(fix) : {};
    reported.push({ ...finding, canFix: fix !== undefined, ...result });
  }
  return reported;
}

async function tryFix(fix: () => Promise<string>): Promise<Pick<Reported, "fixed" | "why">> {
  try {
    return { fixed: await fix() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { why: `Could not be fixed: ${toPrintable(reason, 400)}.` };
  }
}

function describe(reported: readonly Reported[], call: CommandCall): string[] {
  const { width, ownCommand } = call;
  const { style } = call.output;
  const rows = reported.flatMap(({ level, what, why, remedy: command, fixed }): Columns["rows"] => {
    if (fixed !== undefined) return [[showMark("fixed", style), fixed]];
    const first: Columns["rows"][number] = [
      showMark(level === "broken" ? "error" : level, style),
      what,
    ];
    const more: Columns["rows"] = why === undefined ? [first] : [first, ["", why]];
    return command === undefined || level === "ok"
      ? more
      : [...more, ["", [`Fix: ${style.bold(command)}`]]];
  });
  return [
    ...formatColumns({ rows, width }),
    "",
    ...wrapText(inOwnWords(summarize(reported), ownCommand), width),
  ];
}

function summarize(reported: readonly Reported[]): string {
  const open = reported.filter(({ fixed }) => fixed === undefined);
  const count = (level: (typeof LEVELS)[number]) =>
    open.filter((one) => one.level === level).length;
  const fixable = open.filter(({ canFix }) => canFix).length;
  const words = LEVELS.toReversed()
    .filter((level) => level !== "ok" && count(level) > 0)
    .map((level) => countOf(count(level), level === "broken" ? "error" : level));
  const result = words.length === 0 ? "No problems found." : `${words.join(", ")}.`;
  if (fixable === 0) return result;
  return `${result} \`clawtools doctor --fix\` can fix ${fixable} of them.`;
}
