// The completion script for zsh.

import type { Completes } from "../flags.js";
import { type CompletionWords, SETTER } from "./words.js";

export function writeZsh({ named, choices, places, values }: CompletionWords): string[] {
  const takers = [...values.keys()].join("|");
  const inner = places.filter(({ place }) => place.includes(" ")).map(({ place }) => `"${place}"`);
  return [
    "#compdef clawtools",
    "# clawtools: completion for zsh. Load it with: source <(clawtools completion zsh)",
    "_clawtools() {",
    `  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" place="" key="" word="" skip=""`,
    "  local -i count=0 index",
    ...Object.entries(named).map(
      ([name, words]) => `  local -a ${variable(name)}=(${words.map(quote).join(" ")})`,
    ),
    "  for (( index = 2; index < CURRENT; index++ )); do",
    `    word="\${words[index]}"`,
    '    if [[ -n "$skip" ]]; then skip=""; continue; fi',
    '    case "$word" in',
    `      (${takers}) skip=1 ;;`,
    "      (-*) ;;",
    "      (help) (( count == 0 )) || (( count += 1 )) ;;",
    "      (*)",
    "        (( count += 1 ))",
    '        if (( count == 1 )); then place="$word"',
    "        elif (( count == 2 )); then",
    `          case "$place $word" in (${inner.join("|")}) place="$place $word" ;; esac`,
    '        elif (( count == 3 )); then key="$word"',
    "        fi ;;",
    "    esac",
    "  done",
    '  case "$before" in',
    ...[...values].map(([flag, completes]) => `    (${flag}) ${offer(completes)}; return ;;`),
    "  esac",
    `  if [[ "$place" == "${SETTER}" ]] && (( count >= 3 )); then`,
    '    case "$count $key" in',
    ...[...choices].map(([key, words]) => `      ("3 ${key}") ${offer(words)} ;;`),
    "    esac",
    "    return",
    "  fi",
    '  case "$place" in',
    ...places.flatMap(({ place, words, operand, flags }) => [
      `    ("${place}")`,
      '      case "$current" in',
      `        (-*) ${offer(flags)} ;;`,
      `        (*) ${offer(words)}${operand === undefined ? "" : `; ${offer(operand)}`} ;;`,
      "      esac ;;",
    ]),
    "  esac",
    "}",
    // As a file of fpath it is the function itself, called for the first time.
    'if [[ "$funcstack[1]" == "_clawtools" ]]; then _clawtools "$@"',
    "else",
    "  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }",
    "  compdef _clawtools clawtools",
    "fi",
  ];
}

function variable(name: string): string {
  return `clawtools_${name.replaceAll("-", "_")}`;
}

function quote(word: string): string {
  return `'${word}'`;
}

function offer(completes: Completes | undefined): string {
  if (completes === undefined || completes.length === 0) return ":";
  if (completes === "files") return "_files";
  if (completes === "folders") return "_files -/";
  if (typeof completes === "string") return `compadd -a ${variable(completes)}`;
  return `compadd -- ${completes.join(" ")}`;
}
