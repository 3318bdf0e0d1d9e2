// `clawtools completion`: a short shell script that asks this command for the words to offer.

import { type Command, type CommandCall, type FlagTable, type Groups, show } from "../command.js";
import { GLOBAL_FLAGS, JSON_FLAG, readChoices, readFlagTable, readOperands } from "../flags.js";

/** A line of `offer` that the script replaces with files or folders. */
const FILES = ":files";
const FOLDERS = ":folders";
/** A word that a shell would have to quote is not offered. */
const PLAIN_WORD = /^[\w.-]+$/;

export const command: Command = {
  usage: "bash|zsh|fish|offer [WORDS...]",
  notes: [
    "bash: source <(clawtools completion bash). zsh: the same with zsh. fish: clawtools completion fish | source.",
    "Completes commands, flags and their values, tools, config keys and files. The scripts call `clawtools completion offer -- WORDS...` for the words to offer.",
  ],
  flags: JSON_FLAG,
  sample: "clawtools completion bash",
  async run(call) {
    const [shell = "", ...words] = call.words;
    if (shell === "offer") {
      const offered = await listOffers(call.groups, words);
      return show(call, offered, () => offered);
    }
    const script = SCRIPTS[shell]?.(call) ?? "";
    return show(call, { shell, script }, () => [script.trimEnd()]);
  },
};

const SCRIPTS: Readonly<Record<string, (call: CommandCall) => string>> = {
  bash: ({ ownCommand }) => `# clawtools: completion for bash 3.2 and later
_clawtools() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line file
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      ${FILES}) while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current") ;;
      ${FOLDERS}) while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$current") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(${ownCommand} completion offer -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _clawtools clawtools
`,
  zsh: ({ ownCommand }) => `#compdef clawtools
# clawtools: completion for zsh
_clawtools() {
  local -a offers
  offers=("\${(@f)$(${ownCommand} completion offer -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case "$offers[1]" in
    ${FILES}) _files ;;
    ${FOLDERS}) _files -/ ;;
    ?*) compadd -a offers ;;
  esac
}
if [[ "$funcstack[1]" == "_clawtools" ]]; then _clawtools "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _clawtools clawtools
fi
`,
  fish: ({ ownCommand }) => `# clawtools: completion for fish
function __clawtools_offers
    set -l words (commandline -opc) (commandline -ct)
    for line in (${ownCommand} completion offer -- $words[2..-1] 2>/dev/null)
        switch $line
            case ${FILES}
                __fish_complete_path (commandline -ct)
            case ${FOLDERS}
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c clawtools -f -a '(__clawtools_offers)'
`,
};

/** The last word is the one to complete. */
async function listOffers(groups: Groups, words: readonly string[]): Promise<string[]> {
  const current = words.at(-1) ?? "";
  const offers = await offersAfter(groups, { before: words.slice(0, -1), current });
  return offers.filter((word) => word.startsWith(":") || word.startsWith(current));
}

async function offersAfter(
  groups: Groups,
  { before, current }: { readonly before: readonly string[]; readonly current: string },
): Promise<string[]> {
  const scout = dropFlags(before, {});
  const [first = "", second = ""] = scout[0] === "help" ? scout.slice(1) : scout;
  const commands = Object.hasOwn(groups, first) ? (groups[first]?.commands ?? []) : [];
  const named = commands.find(({ name }) => name !== "" && name === second);
  const path = named ? [first, second] : first === "" ? [] : [first];
  const found = await (named ?? commands.find(({ name }) => name === ""))?.load();
  const flags = readFlagTable({ ...found?.flags, ...GLOBAL_FLAGS });
  const last = flags.find(({ name }) => `--${name}` === before.at(-1));
  if (last?.value !== undefined) return await offersFor(last.value);
  if (current.startsWith("-")) return flags.map(({ name }) => `--${name}`);
  const given = dropFlags(before, found?.flags ?? {}).slice(path.length);
  if (path.length === 0) return [...Object.keys(groups), "help"];
  const names =
    path.length === 1 && given.length === 0 ? commands.flatMap((one) => one.name || []) : [];
  if (found === undefined) return names;
  if (path.join(" ") === "config set" && given.length === 1) return await valuesOf(given[0] ?? "");
  const operand = readOperands(found)[given.length];
  return [...names, ...(operand === undefined ? [] : await offersFor(operand.name))];
}

function dropFlags(words: readonly string[], table: FlagTable): string[] {
  const flags = readFlagTable({
    "--provider NAME": "",
    "--agent ID": "",
    ...GLOBAL_FLAGS,
    ...table,
  });
  const takers = new Set(flags.flatMap(({ name, value }) => (value ? `--${name}` : [])));
  return words.filter(
    (word, index) => !word.startsWith("-") && !takers.has(words[index - 1] ?? ""),
  );
}

async function offersFor(value: string): Promise<string[]> {
  const choices = readChoices(value);
  if (choices !== undefined) return choices.filter((word) => word !== "offer");
  if (value === "FILE") return [FILES];
  if (value === "DIR") return [FOLDERS];
  if (value === "TOOL") {
    const { getToolCatalog } = await import("../../toolkit/index.js");
    return getToolCatalog().map(({ id }) => id);
  }
  if (value !== "KEY") return [];
  const { listConfigKeys } = await import("../../config/edit/index.js");
  const keys = listConfigKeys().map(({ path }) => path);
  return [...new Set(keys)].filter((key) => PLAIN_WORD.test(key));
}

/** The words that a config key accepts. */
async function valuesOf(key: string): Promise<string[]> {
  const { listConfigKeys } = await import("../../config/edit/index.js");
  const node = listConfigKeys().find(({ path }) => path === key)?.node;
  if (node?.type === "boolean") return ["true", "false"];
  return (node?.enum ?? []).filter((word) => PLAIN_WORD.test(word));
}
