// Runs every check of the doctor, in the order of its report.

import {
  type ClawtoolsConfig,
  loadConfig,
  stateDir,
  valueAsWritten,
  withoutUnknownSections,
} from "../../../config/index.js";
import type { BrowserFinding } from "../../../core/browser.js";
import { isToolError, type Toolkit } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { createAgentBrowsers, createAgentModels, createToolkit } from "../../../toolkit/index.js";
import type { CommandCall } from "../../command.js";
import { useAndClose } from "../../use-and-close.js";
import { checkGrants } from "./check-grants.js";
import { checkPolicy } from "./check-policy.js";
import { checkInterrupted, checkState } from "./check-state.js";
import { checkCommands, checkConfigFile, checkNode, checkPrograms } from "./check-system.js";
import { type Finding, findingsOf } from "./finding.js";

const programs = findingsOf("programs");
const policy = findingsOf("policy");
const config = findingsOf("config");

/** Reported only when they are not good. */
const QUIET = ["window", "profile", "holder", "network policy", "sandbox"];
/** These do not keep the browser from starting. */
const NOTES: readonly string[] = ["sandbox", "network policy"];

const REMEDIES: Readonly<Record<string, string>> = {
  browser: "sudo apt-get install chromium",
  driver: "npm install playwright-core",
  arguments: "clawtools config get browser.extraArgs",
  port: "clawtools config set browser.port false",
};

export async function examine(call: CommandCall): Promise<Finding[]> {
  const { place, root } = call;
  const folder = stateDir(place);
  const loaded = await loadConfig(place);
  const configFindings = checkConfigFile(loaded);
  const isUsable = configFindings.every(({ level }) => level !== "broken");
  const config = loaded.ok && isUsable ? withoutUnknownSections(loaded.config) : {};
  const toolkit = createToolkit({ root, config, stateDir: folder });
  try {
    await toolkit.ready;
    const findings: Finding[] = [
      ...checkNode(),
      ...checkPrograms(place.env.PATH),
      ...(await checkBrowser({ root, config, stateDir: folder })),
      ...(await checkCommands(toolkit)),
      ...(await checkState(folder)),
      ...(await checkInterrupted(toolkit, folder)),
      ...configFindings,
      ...(isUsable ? await checkModels(config) : []),
      ...(isUsable ? await checkRules({ toolkit, config, root, reported: configFindings }) : []),
      ...(await checkGrants(folder)),
    ];
    return valueAsWritten(findings, loaded.written);
  } finally {
    await toolkit.close();
  }
}

async function checkRules(options: {
  readonly toolkit: Toolkit;
  readonly config: ClawtoolsConfig;
  readonly root: string;
  readonly reported: readonly Finding[];
}): Promise<Finding[]> {
  const doubts = options.toolkit
    .diagnostics()
    .filter(({ message }) => !options.reported.some(({ what }) => what.includes(trimEnd(message))))
    .flatMap(({ severity, message }) =>
      policy[severity === "error" ? "broken" : "warning"]({
        what: toPrintable(message, 1_000),
        remedy: "clawtools config validate",
      }),
    );
  return [...doubts, ...(await checkPolicy(options))];
}

/** Only agents, `chat` and scheduled jobs need one. */
async function checkModels(loaded: ClawtoolsConfig): Promise<Finding[]> {
  return await useAndClose(
    createAgentModels({ config: loaded, agentId: undefined }),
    async (models) => {
      const problem = models.problem();
      if (problem === undefined) return [];
      const level = problem.reason === "no_model" ? "note" : "warning";
      return config[level]({ what: problem.message });
    },
  );
}

function trimEnd(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

async function checkBrowser(source: {
  readonly root: string;
  readonly config: ClawtoolsConfig;
  readonly stateDir: string;
}): Promise<Finding[]> {
  if (source.config.browser?.enabled === false) {
    return programs.note({ what: "Chromium is not checked: `browser.enabled` is false." });
  }
  const browsers = createAgentBrowsers(source);
  try {
    const findings = await browsers.doctor({ signal: new AbortController().signal });
    return findings
      .filter(({ name, isGood }) => !isGood || !QUIET.includes(name))
      .flatMap(toFinding);
  } catch (error) {
    // An invalid setting; the other checks still run.
    if (!isToolError(error)) throw error;
    const what = `\`browser\`: ${error.message}`;
    return programs.warning({ what, remedy: "clawtools config validate" });
  } finally {
    await browsers.close();
  }
}

function toFinding({ name, isGood, text }: BrowserFinding): Finding[] {
  const remedy = isGood ? undefined : REMEDIES[name];
  const level = isGood ? "ok" : NOTES.includes(name) ? "note" : "warning";
  const what = name === "browser" ? `Chromium, for \`browser\`: ${text}` : `\`browser\`: ${text}`;
  return programs[level]({ what, ...(remedy === undefined ? {} : { remedy }) });
}
