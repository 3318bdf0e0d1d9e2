// `clawtools doctor`: looks at everything that clawtools is on, says what is wrong and how to fix
// it, and with --fix does what is safe.

import { constants, type Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { join } from "node:path";
import { AUDIT_NAMES } from "../../audit/index.js";
import { type ClawtoolsConfig, loadConfig, stateDir, valueAsWritten } from "../../config/index.js";
import type { BrowserFinding } from "../../core/browser.js";
import { isToolError, type Toolkit } from "../../core/index.js";
import { errnoOf, isMissing } from "../../lib/errno.js";
import { toPrintable } from "../../lib/printable.js";
import { shellQuote } from "../../lib/system/shell-quote.js";
import { createAgentBrowsers, createToolkit } from "../../toolkit/index.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { inOwnWords, toOwnCommand } from "../own-command/own-command.js";
import { type Columns, formatColumns, wrapText } from "../wrap-text.js";
import { checkCommands } from "./check-commands.js";
import { checkConfigFile } from "./check-config-file.js";
import { checkGrants } from "./check-grants.js";
import { checkInterrupted } from "./check-interrupted.js";
import { checkNode } from "./check-node.js";
import { checkPolicy } from "./check-policy.js";
import { checkPrograms } from "./check-programs.js";
import { checkState } from "./check-state.js";
import { type Finding, LEVELS } from "./finding.js";

/** Reported only when they are not good. */
const QUIET = ["window", "profile", "holder", "network policy", "sandbox"];

/** Nothing is in the way of a start; the same as the doctor of the browser says. */
const NOTES: readonly string[] = ["sandbox", "network policy"];

const MENDS: Readonly<Record<string, string>> = {
  browser: "sudo apt-get install chromium",
  driver: "npm install playwright-core",
  arguments: "clawtools config get browser.extraArgs",
  port: "clawtools config set browser.port false",
};

const WHY = "Calls run all the same, but no row of them is kept.";

const EXIT_BROKEN = 1;

interface Told extends Omit<Finding, "fix"> {
  /** What --fix did about it. */
  readonly fixed?: string;
  readonly canFix: boolean;
}

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, ownCommand } = call;
  const findings = await examine(call);
  const told = (await mend(findings, switches.has("fix") ? "fix" : "look")).map((one) =>
    one.mend === undefined ? one : { ...one, mend: toOwnCommand(one.mend, ownCommand) },
  );
  const isBroken = told.some(({ level, fixed }) => level === "broken" && fixed === undefined);
  if (switches.has("json")) printJson(output, { ok: !isBroken, findings: told });
  else printLines(output, describe(told, call));
  return isBroken ? EXIT_BROKEN : 0;
}

async function examine(call: CommandCall): Promise<Finding[]> {
  const { place, root } = call;
  const folder = stateDir(place);
  const loaded = await loadConfig(place);
  const configFindings = checkConfigFile(loaded);
  const isUsable = configFindings.every(({ level }) => level !== "broken");
  const config = loaded.ok && isUsable ? loaded.config : {};
  const toolkit = createToolkit({ root, config, stateDir: folder });
  try {
    await toolkit.ready;
    const findings: Finding[] = [
      ...(await checkNode()),
      ...(await checkPrograms(place.env.PATH)),
      ...(await checkBrowser({ root, config, stateDir: folder })),
      ...(await checkCommands(toolkit)),
      ...(await checkState(folder)),
      ...(await checkAudit(folder)),
      ...(await checkInterrupted(toolkit, folder)),
      ...configFindings,
      ...(isUsable ? await checkRules({ toolkit, config, root, told: configFindings }) : []),
      ...(await checkGrants(folder)),
    ];
    return valueAsWritten(findings, loaded.written);
  } finally {
    await toolkit.close();
  }
}

/** What the config says of itself is reported already. */
async function checkRules(options: {
  readonly toolkit: Toolkit;
  readonly config: ClawtoolsConfig;
  readonly root: string;
  readonly told: readonly Finding[];
}): Promise<Finding[]> {
  const doubts = options.toolkit
    .diagnostics()
    .filter(({ message }) => !options.told.some(({ what }) => what.includes(trimEnd(message))))
    .map(({ severity, message }): Finding => {
      return {
        area: "policy",
        level: severity === "error" ? "broken" : "warning",
        what: toPrintable(message, 1_000),
        mend: "clawtools config validate",
      };
    });
  return [...doubts, ...(await checkPolicy(options))];
}

function trimEnd(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

async function mend(findings: readonly Finding[], mode: "fix" | "look"): Promise<Told[]> {
  const told: Told[] = [];
  for (const { fix, ...finding } of findings) {
    const canFix = fix !== undefined;
    if (fix === undefined || mode === "look") {
      told.push({ ...finding, canFix });
      continue;
    }
    try {
      told.push({ ...finding, canFix, fixed: await fix() });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      told.push({
        ...finding,
        canFix,
        why: `It could not be fixed: ${toPrintable(reason, 400)}.`,
      });
    }
  }
  return told;
}

function describe(told: readonly Told[], { width, ownCommand }: CommandCall): string[] {
  const rows = told.flatMap(({ level, what, why, mend: command, fixed }): Columns["rows"] => {
    if (fixed !== undefined) return [["fixed", fixed]];
    const first: Columns["rows"][number] = [level, what];
    const more: Columns["rows"] = why === undefined ? [first] : [first, ["", why]];
    return command === undefined || level === "ok" ? more : [...more, ["", [`Do: ${command}`]]];
  });
  return [
    ...formatColumns({ rows, width }),
    "",
    ...wrapText(inOwnWords(summarize(told), ownCommand), width),
  ];
}

function summarize(told: readonly Told[]): string {
  const open = told.filter(({ fixed }) => fixed === undefined);
  const count = (level: (typeof LEVELS)[number]) =>
    open.filter((one) => one.level === level).length;
  const fixable = open.filter(({ canFix }) => canFix).length;
  const words = LEVELS.toReversed()
    .filter((level) => level !== "ok" && count(level) > 0)
    .map(
      (level) => `${count(level)} ${level === "broken" ? "broken" : plural(level, count(level))}`,
    );
  const result = words.length === 0 ? "Everything is in order." : `${words.join(", ")}.`;
  if (fixable === 0) return result;
  return `${result} \`clawtools doctor --fix\` can fix ${fixable} of them.`;
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`;
}

/** Nothing where there is no state folder yet. */
async function checkAudit(folder: string): Promise<Finding[]> {
  const names = Object.entries(AUDIT_NAMES);
  const found = await Promise.all(names.map(([name, kind]) => checkName({ folder, name, kind })));
  const odd = found.flat();
  return odd.length > 0 ? odd : await checkAccess(folder);
}

async function checkName(options: {
  readonly folder: string;
  readonly name: string;
  readonly kind: "file" | "folder";
}): Promise<Finding[]> {
  const { folder, name, kind } = options;
  const path = join(folder, name);
  const facts = await lstat(path).catch((error: unknown) => errnoOf(error));
  // What keeps others from being looked at is reported with the state folder.
  if (typeof facts === "string" || isKind(facts, kind)) return [];
  return [
    {
      area: "state",
      level: "broken",
      what: `The audit cannot be written: ${toPrintable(path, 4_096)} is no plain ${kind}.`,
      why: WHY,
      mend: `mv ${shellQuote(path)} ${shellQuote(`${path}.old`)}`,
    },
  ];
}

function isKind(facts: Stats, kind: "file" | "folder"): boolean {
  return kind === "file" ? facts.isFile() : facts.isDirectory();
}

async function checkAccess(folder: string): Promise<Finding[]> {
  try {
    await access(folder, constants.W_OK);
    return [];
  } catch (error) {
    if (isMissing(error)) return [];
    const reason = errnoOf(error) || "unknown error";
    return [
      {
        area: "state",
        level: "broken",
        what: `Nothing can be written in ${toPrintable(folder, 4_096)} (${reason}).`,
        why: WHY,
        mend: `ls -ld ${shellQuote(folder)}`,
      },
    ];
  }
}

async function checkBrowser(source: {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly stateDir: string;
}): Promise<Finding[]> {
  if (source.config.browser?.enabled === false) {
    const what = "Chromium is not looked for: `browser.enabled` is false.";
    return [{ area: "programs", level: "note", what }];
  }
  const browsers = createAgentBrowsers(source);
  try {
    const findings = await browsers.doctor({ signal: new AbortController().signal });
    return findings.filter(({ name, isGood }) => !isGood || !QUIET.includes(name)).map(toFinding);
  } catch (error) {
    // A setting that cannot be meant so: everything else is still looked at.
    if (!isToolError(error)) throw error;
    const mend = "clawtools config validate";
    return [{ area: "programs", level: "warning", what: `\`browser\`: ${error.message}`, mend }];
  } finally {
    await browsers.close();
  }
}

function toFinding({ name, isGood, text }: BrowserFinding): Finding {
  const mend = isGood ? undefined : MENDS[name];
  const level = isGood ? "ok" : NOTES.includes(name) ? "note" : "warning";
  const what = name === "browser" ? `Chromium, for \`browser\`: ${text}` : `\`browser\`: ${text}`;
  return { area: "programs", level, what, ...(mend === undefined ? {} : { mend }) };
}
