// What clawtools runs on: Node and its packages, programs, the sandbox, the config file.

import { delimiter, join } from "node:path";
import type { LoadedConfig } from "../../../config/index.js";
import type { ProcessFacts, Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { isExecutable } from "../../../lib/system/find-system-program.js";
import { loadPackage, type PackageName } from "../../../lib/system/load-package.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { checkConfig, describeProblem } from "../config/check-config.js";
import { type Finding, findingsOf } from "./finding.js";

const node = findingsOf("node");
const programs = findingsOf("programs");
const commands = findingsOf("commands");
const config = findingsOf("config");
const MIN_NODE = [20, 19] as const;

export interface OptionalPackage {
  readonly name: PackageName;
  readonly use: string;
}

/** The optional packages of package.json, and what each is for. */
export const PACKAGES: readonly OptionalPackage[] = [
  { name: "@lydell/node-pty", use: "commands in a terminal (`pty`)" },
  { name: "@photostructure/sqlite", use: "state: undo, the journal, approvals and the memory" },
  { name: "playwright-core", use: "the browser (`browser`)" },
  { name: "sharp", use: "images that are read" },
];

type Load = (name: PackageName) => unknown;

export function checkNode(load: Load = loadPackage): Finding[] {
  const packages = PACKAGES.flatMap((one) => checkPackage(one, load));
  return [...checkVersion(process.versions.node), ...packages];
}

function checkVersion(version: string): Finding[] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  if (isEnough) return node.ok({ what: `Node ${version}.` });
  return node.broken({
    what: `Node ${version} is older than ${MIN_NODE.join(".")}.`,
    why: "clawtools needs a newer Node.",
    remedy: `Install Node ${MIN_NODE.join(".")} or newer.`,
  });
}

function checkPackage({ name, use }: OptionalPackage, load: Load): Finding[] {
  try {
    load(name);
    return [];
  } catch {
    // Whatever the cause, the fix is to install it again.
    return node.warning({
      what: `Cannot load the package ${name}.`,
      why: `It is for ${use}.`,
      remedy: `npm install ${name}`,
    });
  }
}

const PURPOSE = "for the sandbox of `exec`";

export function checkPrograms(path = ""): Finding[] {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const found = folders.map((folder) => join(folder, "bwrap")).find(isExecutable);
  if (found !== undefined) return programs.ok({ what: `bubblewrap ${found}, ${PURPOSE}.` });
  return programs.warning({
    what: "bubblewrap is not installed.",
    why: `It is ${PURPOSE}.`,
    remedy: "sudo apt-get install bubblewrap",
  });
}

const PLACES: Readonly<Record<string, string>> = {
  bwrap: "in a sandbox (bubblewrap)",
  namespace: "on this machine, in a process namespace",
  group: "on this machine, in a process group",
};

export async function checkCommands(toolkit: Toolkit): Promise<Finding[]> {
  if (toolkit.explain("exec").status === "absent") {
    return commands.note({ what: "No command can run: the policy denies `exec`." });
  }
  return toFindings(await toolkit.commandFacts());
}

function toFindings(facts: ProcessFacts): Finding[] {
  const { containment, isSandboxed, hasNetwork, security, ask, warnings } = facts;
  if (containment === "none") {
    return commands.broken({
      what: "No command can run here.",
      why: warnings.join(" "),
      remedy: "clawtools tools explain exec",
    });
  }
  const reach = facts.allowedHosts ? "limited" : hasNetwork ? "with" : "without";
  const network = isSandboxed ? `, ${reach} network` : "";
  const what = `Commands run ${PLACES[containment] ?? containment}${network}; security is "${security}", ask is "${ask}".`;
  if (isSandboxed) return commands.ok({ what });
  return commands.warning({
    what,
    why: [
      "A command that may run has access to the files and network of this machine.",
      ...warnings,
    ].join(" "),
    remedy: "clawtools tools explain exec",
  });
}

const MAX_PROBLEM_CHARS = 1_000;

export function checkConfigFile(loaded: LoadedConfig): Finding[] {
  const { path = "", exists } = loaded;
  const { problems } = checkConfig(loaded);
  const file = toPrintable(path, 4_096);
  if (problems.length > 0) {
    return problems.flatMap((problem) => {
      const what = toSentence(toPrintable(describeProblem(problem), MAX_PROBLEM_CHARS));
      const remedy = `clawtools config validate ${shellQuote(path)}`;
      return problem.severity === "error"
        ? config.broken({ what, why: "Nothing runs with a config that has an error.", remedy })
        : config.warning({ what, why: "The setting has no effect.", remedy });
    });
  }
  if (exists) return config.ok({ what: `${file} has no problems.` });
  return config.note({
    what: `${file} does not exist; every setting has its default.`,
    remedy: "clawtools configure",
  });
}

function toSentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`;
}
