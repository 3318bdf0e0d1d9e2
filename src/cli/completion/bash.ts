// The completion script for bash.

import type { Completes } from "../flags.js";
import { type CompletionWords, SETTER } from "./words.js";

const BY_KIND = {
  files: 'compgen -f -- "$current"',
  folders: 'compgen -d -- "$current"',
} as const;

/** Plain bash 3.2 and later; nothing of the package bash-completion is needed. */
export function writeBash({ named, choices, places, values }: CompletionWords): string[] {
  const takers = [...values.keys()].join("|");
  return [
    "# clawtools: completion for bash. Load it with: source <(clawtools completion bash)",
    ...Object.entries(named).map(([name, words]) => `${variable(name)}='${words.join(" ")}'`),
    "_clawtools() {",
    `  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"`,
    '  local place="" key="" count=0 skip="" index word',
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    word="\${COMP_WORDS[index]}"`,
    '    if [ -n "$skip" ]; then skip=""; continue; fi',
    '    case "$word" in',
    `      ${takers}) skip=1 ;;`,
    "      -*) ;;",
    '      help) [ "$count" -eq 0 ] || count=$((count + 1)) ;;',
    "      *)",
    "        count=$((count + 1))",
    '        if [ "$count" -eq 1 ]; then place="$word"',
    '        elif [ "$count" -eq 2 ]; then',
    `          case "$place $word" in ${namedPlaces(places)}) place="$place $word" ;; esac`,
    '        elif [ "$count" -eq 3 ]; then key="$word"',
    "        fi ;;",
    "    esac",
    "  done",
    "  COMPREPLY=()",
    '  case "$before" in',
    ...[...values].flatMap(([flag, completes]) => [`    ${flag}) ${offer(completes)}; return ;;`]),
    "  esac",
    `  if [ "$place" = "${SETTER}" ] && [ "$count" -ge 3 ]; then`,
    '    case "$count $key" in',
    ...[...choices].map(([key, words]) => `      "3 ${key}") ${offer(words)} ;;`),
    "    esac",
    "    return",
    "  fi",
    '  case "$place" in',
    ...places.flatMap(({ place, words, operand, flags }) => [
      `    "${place}")`,
      `      case "$current" in`,
      `        -*) ${offer(flags)} ;;`,
      `        *) ${offer(words)}${operand === undefined ? "" : `; ${offer(operand)}`} ;;`,
      "      esac ;;",
    ]),
    "  esac",
    "}",
    "complete -F _clawtools clawtools",
  ];
}

function namedPlaces(places: CompletionWords["places"]): string {
  const names = places.filter(({ place }) => place.includes(" ")).map(({ place }) => `"${place}"`);
  return names.join("|");
}

function variable(name: string): string {
  return `_clawtools_${name.replaceAll("-", "_")}`;
}

function offer(completes: Completes | undefined): string {
  if (completes === undefined || completes.length === 0) return ":";
  if (completes === "files" || completes === "folders") {
    return `while IFS= read -r word; do COMPREPLY+=("$word"); done < <(${BY_KIND[completes]})`;
  }
  const list =
    typeof completes === "string" ? `"$${variable(completes)}"` : `"${completes.join(" ")}"`;
  return `COMPREPLY+=($(compgen -W ${list} -- "$current"))`;
}
