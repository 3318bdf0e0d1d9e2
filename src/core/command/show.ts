// Shows a command to the person who decides: nothing is cut, invisible characters are escaped.

import type { BoundFile, CommandInput, CommandPlan, PlanRedirect, PlanStep } from "./plan.js";

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[^\P{Zs} ]|\u2800/gu;
const MARK = /\p{M}/gu;
const SIGNED_LETTER = /(\p{L})\p{M}{0,2}$/u;
const BEYOND_ASCII = /[^\x20-\x7e]/gu;
const PLAIN_WORD = /^[\w./:=@%+,-]+$/;

type Variables = Readonly<Record<string, string>>;

type ShownCommand = (
  | { readonly plan: CommandPlan }
  | { readonly command: string; readonly cwd: string }
) & { readonly env?: Variables; readonly input?: CommandInput | undefined };

const INPUTS = {
  open: "an open input",
  terminal: "a terminal as its input",
} as const satisfies Record<CommandInput, string>;

export function showCommand(shown: ShownCommand): string {
  const surroundings = [
    ...showVariables(shown.env).map((text) => `Environment: ${text}`),
    ...(shown.input === undefined ? [] : [`With ${INPUTS[shown.input]}, which the agent writes`]),
  ];
  if (!("plan" in shown)) return [...showText(shown), ...surroundings].join("\n");
  const { plan } = shown;
  const count = plan.steps.length;
  const steps = plan.steps.flatMap((step, index) => showStep(step, index + 1));
  return [
    `Command (${plan.command.length} characters): ${showWord(plan.command)}`,
    `Folder: ${showWord(plan.cwd)}`,
    `Runs ${count} ${count === 1 ? "program" : "programs"}:`,
    ...steps,
    ...surroundings,
    `Hash: ${plan.hash}`,
  ].join("\n");
}

export function showVariables(env: Variables = {}): readonly string[] {
  const entries = Object.entries(env).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([name, value]) => `${showName(name)}=${showWord(value)}`);
}

export function showInput(input: CommandInput | undefined): string {
  return input === undefined ? "" : ` with ${INPUTS[input]}`;
}

function showText({ command, cwd }: { command: string; cwd: string }): string[] {
  return [
    `Command (${command.length} characters, run by bash as it is): ${showWord(command)}`,
    `Folder: ${showWord(cwd)}`,
  ];
}

function showStep(step: PlanStep, number: number): string[] {
  const { argv, program, redirects, join, scripts, cwd, facts } = step;
  const { file, added, files = [], unbound } = facts;
  const link = file === program.path ? "" : ` (${showName(program.path)})`;
  const words = [showName(file) + link, ...argv.slice(1).map(showWord)];
  return [
    `  ${number}. ${[...words, ...redirects.map(showRedirect)].join(" ")}${join ? ` ${join}` : ""}`,
    `     ${argv.length} words, called ${showName(argv[0] ?? "")}, in ${showWord(cwd)}`,
    ...(added.length > 0 ? [`     added by clawtools: ${added.map(showWord).join(" ")}`] : []),
    ...scripts.map((script) => showFile("script", script)),
    ...files.map((file) => showFile("file", file)),
    ...(unbound === undefined ? [] : [`     may change before it starts: ${unbound}`]),
  ];
}

function showFile(kind: string, { path, contentHash }: BoundFile): string {
  return `     ${kind} ${showWord(path)} sha256 ${contentHash}`;
}

const SIGNS = { read: "<", write: ">", append: ">>" } as const;

function showRedirect(redirect: PlanRedirect): string {
  if (redirect.kind === "duplicate") return `${redirect.fd}>&${redirect.target}`;
  return `${redirect.fd}${SIGNS[redirect.kind]} ${showWord(redirect.path)}`;
}

export function showWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  const escaped = word.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped.replace(UNSEEN, toEscape).replace(MARK, showMark)}"`;
}

function showMark(mark: string, at: number, text: string): string {
  const letter = SIGNED_LETTER.exec(text.slice(Math.max(0, at - 8), at))?.[1]?.codePointAt(0) ?? 0;
  const isSpelling = letter >> 7 === (mark.codePointAt(0) ?? 0) >> 7;
  return isSpelling && letter >= 0x590 && letter < 0x1800 ? mark : toEscape(mark);
}

function showName(name: string): string {
  const shown = showWord(name);
  return shown.replace(BEYOND_ASCII, toEscape);
}

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
}
