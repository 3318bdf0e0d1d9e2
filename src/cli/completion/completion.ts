// `clawtools completion`: a script for a shell, made from the command table, the tools and the keys
// of the config.

import { listConfigKeys } from "../../config/edit/index.js";
import { getToolCatalog } from "../../toolkit/index.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { UsageError } from "../failure.js";
import type { CommandTable } from "../table/command.js";
import { writeBash } from "./bash.js";
import { writeFish } from "./fish.js";
import { type CompletionWords, collectWords } from "./words.js";
import { writeZsh } from "./zsh.js";

/** Keys that a shell would have to quote are left out. */
const PLAIN_WORD = /^[\w.-]+$/;

type ListedNode = ReturnType<typeof listConfigKeys>[number]["node"];

const SHELLS: Readonly<Record<string, (words: CompletionWords, table: CommandTable) => string[]>> =
  {
    bash: writeBash,
    zsh: writeZsh,
    fish: writeFish,
  };

export function createCompletion(table: CommandTable): (call: CommandCall) => Promise<number> {
  return async ({ words, output, switches }) => {
    const [shell = ""] = words;
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (write === undefined) {
      throw new UsageError(`SHELL must be one of ${Object.keys(SHELLS).join(", ")}.`);
    }
    const script = write(
      collectWords(table, { named: listNamed(), choices: listChoices() }),
      table,
    );
    if (switches.has("json")) printJson(output, { shell, script: `${script.join("\n")}\n` });
    else printLines(output, script);
    return 0;
  };
}

function listChoices(): CompletionWords["choices"] {
  const rows = listConfigKeys()
    .filter(({ path }) => PLAIN_WORD.test(path))
    .map(({ path, node }) => [path, choicesOf(node)] as const);
  return new Map(rows.filter(([, words]) => words.length > 0));
}

function choicesOf({ type, enum: words = [] }: ListedNode): readonly string[] {
  return type === "boolean" ? ["true", "false"] : words.filter((word) => PLAIN_WORD.test(word));
}

function listNamed(): CompletionWords["named"] {
  const keys = listConfigKeys().map(({ path }) => path);
  return {
    tools: getToolCatalog().map(({ id }) => id),
    "config-keys": [...new Set(keys)].filter((key) => PLAIN_WORD.test(key)),
  };
}
