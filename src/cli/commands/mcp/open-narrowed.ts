// The toolkit that `clawtools mcp` serves: what the config allows, narrowed by flags.

import type { ClawtoolsConfig } from "../../../config/index.js";
import {
  type Invoke,
  type InvokeResult,
  TOOL_PROFILES,
  ToolInputError,
  type Toolkit,
} from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readText } from "../../../lib/read-field.js";
import { findPolicyProblems, type ToolkitOptions } from "../../../toolkit/index.js";
import { CATALOG } from "../../../tools/catalog.js";
import type { CommandCall } from "../../command.js";
import { UsageError } from "../../failure.js";
import { type OpenedToolkit, openToolkit } from "../../with-toolkit.js";
import { allowLocal } from "../browser/allow-local.js";

/** What these tools do is unknown. */
const FOREIGN = "group:plugins";
const DENIED = /(?<![\w.\]])tools\.deny\[(\d+)\]/g;
const ALLOWED = /(?<![\w.\]])toolsAllow(?:\[\d+\])?/g;
const BLAME = /^The config cannot be used\. (?=--)/;
const READ_AS = / and is read as "([^"]*)" until you fix it\.?/g;
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_name", "allow_ignored"]);

export interface NarrowedToolkit extends OpenedToolkit {
  setPolicy(config: ClawtoolsConfig): readonly string[];
}

/** Throws a ToolInputError that names the flag as it was typed. */
export async function openNarrowed(
  call: CommandCall,
  more: Partial<ToolkitOptions>,
): Promise<NarrowedToolkit> {
  let nameFlags: NameFlags = (text) => text;
  const output = { ...call.output, warn: (line: string) => call.output.warn(nameFlags(line)) };
  try {
    const opened = await openToolkit({ ...call, output }, (options) => {
      nameFlags = createNameFlags(options, call);
      assertKnownNames(options, call);
      return { ...narrowTools(allowLocal(call, options), call), provider: "mcp", ...more };
    });
    return {
      ...opened,
      toolkit: withFlagNames(opened.toolkit, (text) => nameFlags(text)),
      setPolicy(config) {
        const options = { root: call.root, config };
        const narrowed = narrowTools(allowLocal(call, options), call);
        const rest = opened.toolkit.setPolicy({ ...narrowed.config });
        nameFlags = createNameFlags(options, call);
        return rest;
      },
    };
  } catch (cause) {
    if (!(cause instanceof ToolInputError)) throw cause;
    const { reason } = cause;
    const message = nameFlags(cause.message).replace(READ_AS, '. Did you mean "$1"?');
    throw new ToolInputError(message, {
      cause,
      ...(reason === undefined ? {} : { reason }),
    });
  }
}

/** An unknown name would deny or allow nothing. */
function assertKnownNames({ config }: ToolkitOptions, { texts }: CommandCall): void {
  for (const flag of ["allow", "deny"] as const) {
    const names = readNames(flag, texts[flag]);
    const { plugins, mcp } = config ?? {};
    const problems = findPolicyProblems({ tools: { [flag]: names ?? [] }, plugins, mcp });
    const unknown = problems.find(({ code }) => UNKNOWN.has(code));
    if (unknown !== undefined) {
      const [first = "", ...others] = names ?? [];
      const name = others.find((one) => unknown.message.includes(`"${one}"`)) ?? first;
      throw new UsageError(
        `--${flag}: unknown name "${toPrintable(name)}". Give tools or groups, separated by commas; \`clawtools tools list\` shows them.`,
      );
    }
  }
}

type NameFlags = (text: string) => string;

/** `options`: before the flags narrowed them. */
function createNameFlags(
  { config }: ToolkitOptions,
  { texts }: Pick<CommandCall, "texts">,
): NameFlags {
  const ownCount = config?.tools?.deny?.length ?? 0;
  const flagCount = readNames("deny", texts.deny)?.length ?? 0;
  const nameDenied = (whole: string, digits: string) => {
    const index = Number(digits) - ownCount;
    if (index < 0) return whole;
    return index < flagCount ? "--deny" : "--read-only";
  };
  return (text) => text.replace(DENIED, nameDenied).replace(ALLOWED, "--allow").replace(BLAME, "");
}

/** A refusal by policy names the flag that caused it. The server calls tools for its callers only. */
function withFlagNames(toolkit: Toolkit, nameFlags: NameFlags): Toolkit {
  const forCaller: Toolkit["forCaller"] = (caller) => {
    const view = toolkit.forCaller(caller);
    const invoke: Invoke = async (request) => renameDenial(await view.invoke(request), nameFlags);
    // Not a copy: the offered tools are read from the toolkit each time.
    return Object.create(view, { invoke: { value: invoke } });
  };
  return Object.create(toolkit, { forCaller: { value: forCaller } });
}

/** Only texts that no tool wrote. */
function renameDenial(result: InvokeResult, nameFlags: NameFlags): InvokeResult {
  if (!result.isError || readText(result.details, "reason") !== "tool_denied") return result;
  const content = result.content.map((block) =>
    block.type === "text" ? { ...block, text: nameFlags(block.text) } : block,
  );
  return { ...result, content };
}

function narrowTools(
  options: ToolkitOptions,
  { texts, switches }: Pick<CommandCall, "texts" | "switches">,
): ToolkitOptions {
  const allow = readNames("allow", texts.allow);
  const profile = readProfile(texts.profile);
  const writing = switches.has("read-only") ? [...listWriting(), FOREIGN] : [];
  const denied = [...(readNames("deny", texts.deny) ?? []), ...writing];
  const { tools = {} } = options.config ?? {};
  return {
    ...options,
    ...(allow === undefined ? {} : { toolsAllow: allow }),
    config: {
      ...options.config,
      tools: {
        ...tools,
        ...(profile === undefined ? {} : { profile }),
        ...(denied.length === 0 ? {} : { deny: [...(tools.deny ?? []), ...denied] }),
      },
    },
  };
}

function listWriting(): string[] {
  return CATALOG.filter(({ tool }) => !tool.readOnly).map(({ tool }) => tool.name);
}

function readNames(flag: string, text: string | undefined): string[] | undefined {
  const names = text
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names?.length === 0) throw new UsageError(`--${flag} names no tools.`);
  return names;
}

function readProfile(name: string | undefined) {
  return TOOL_PROFILES.find((one) => one === name);
}
