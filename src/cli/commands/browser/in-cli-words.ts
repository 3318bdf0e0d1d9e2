// What the tool itself says, for a person at the command line: its actions as commands, its parameters
// as flags. Text of a page never passes through here.

import { flagOf } from "./parameters.js";

type Rule = readonly [
  said: RegExp,
  meant: string | ((found: string, ...parts: string[]) => string),
];

const DIALOG =
  "answer it with `clawtools browser dialog accept` or `clawtools browser dialog dismiss`";

/** In the order in which they are tried: whole sentences before words. */
const RULES: readonly Rule[] = [
  [/answer it with action dialog(?: and accept: true or false)?/, DIALOG],
  [
    /, and promptText, the text to give \(without it its default\)/,
    "; accept takes the text to give behind it (without it its default)",
  ],
  [/\baction upload with inputRef and paths/, "`clawtools browser upload FILE --ref REF`"],
  [/\b(?:use|with) action (\w+)\b(?!-)/g, (_, name = "") => `with \`clawtools browser ${name}\``],
  [
    /\baction (dialog|upload|download|snapshot|open)\b/g,
    (_, name = "") => `\`clawtools browser ${name}\``,
  ],
  [/\bgive inputRef \(the file input\)/, "name the file input with --ref"],
  [/\bpage=(\d+)/g, (_, page = "") => `--page ${page}`],
  [
    /: snapshot with ref (e\d+) lists/,
    (_, ref = "") => `: \`clawtools browser snapshot --ref ${ref}\` lists`,
  ],
  [
    /(^|[[;] ?)snapshot lists/gm,
    (_, before = "") => `${before}\`clawtools browser snapshot\` lists`,
  ],
  [/\btake a new snapshot\b/, "take a new `clawtools browser snapshot`"],
  [
    /\bgive targetId (t\d+) with it, or focus that tab first/,
    (_, tab = "") => `give --tab ${tab} with it, or \`clawtools browser focus ${tab}\` first`,
  ],
  [/\bneeds targetUrl, such/, "needs a URL, such"],
  [
    /^(\w+) needs (?:ref|text|key|values|startRef|endRef|width|height|x|y|fn|fields|one field|one of)\b.*/,
    (_, kind = "") => `${kind} needs another argument; see \`clawtools browser act --help\`.`,
  ],
  // Parameter names; in quotes it is what the person wrote as JSON.
  [/(?<!")\b[a-z]+[A-Z][A-Za-z]*\b/g, (name) => flagOf(name) ?? name],
];

export function inCliWords(sentence: string): string {
  return RULES.reduce(
    (text, [said, meant]) =>
      typeof meant === "string" ? text.replace(said, () => meant) : text.replace(said, meant),
    sentence,
  );
}
