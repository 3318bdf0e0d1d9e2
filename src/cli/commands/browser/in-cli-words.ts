// Rewrites messages of the tool for the command line. Page text never passes through here.

import { flagOf } from "./parameters.js";

type Rule = readonly [
  said: RegExp,
  meant: string | ((found: string, ...parts: string[]) => string),
];

const DIALOG =
  "answer it with `clawtools browser dialog accept` or `clawtools browser dialog dismiss`";

/** Tried in order: whole sentences before words. */
const RULES: readonly Rule[] = [
  [/answer it with action dialog(?: and accept: true or false)?/, DIALOG],
  [
    /, and promptText, the text to give \(without it its default\)/,
    "; accept takes the text to give behind it (without it its default)",
  ],
  [/\baction dialog gives it/, "`clawtools browser dialog` gives it"],
  [/\b(?:use|with) action upload\b/, "with `clawtools browser upload FILE`"],
  [/\bwith action download\b/, "with `clawtools browser download`"],
  [/\bgive inputRef \(the file input\)/, "name the file input with --ref"],
  [/\bpage=(\d+)/g, (_, page = "") => `--page ${page}`],
  [/\bquery, ref or selector narrows/, "--query, --ref or --selector narrows"],
  [/\bselector or frame narrows/, "--selector or --frame narrows"],
  [/\ba larger depth, or ref of a row/, "a larger --depth, or --ref of a row"],
  [
    /; snapshot with ref, or text, has more/,
    "; `clawtools browser snapshot --ref REF`, or `clawtools browser text`, has more",
  ],
  [
    /; snapshot lists the page, with query a part of it/,
    "; `clawtools browser snapshot` lists the page, with --query a part of it",
  ],
  [
    /(^|[[;] ?)snapshot lists/gm,
    (_, before = "") => `${before}\`clawtools browser snapshot\` lists`,
  ],
  [/\btake a snapshot without frame\b/, "take a `clawtools browser snapshot` without --frame"],
  [/\btake a new snapshot\b/, "take a new `clawtools browser snapshot`"],
  [/\blimit shows more, query only those/, "--limit shows more, --query only those"],
  [/\bwords in query may match/, "words in --query may match"],
  [/\bwithout query all\b/, "without --query all"],
  [/\bwith snapshot and query;/, "with `clawtools browser snapshot --query WORDS`;"],
  [/\bfor selector, element and frame\b/, "for --selector and --frame"],
  [/\bleave out ref, element and fullPage, or labels/, "leave out --ref and --full, or --labels"],
  [/\bfullPage and one element\b/, "--full and --ref"],
  [
    /\bneeds one of timeMs, text, textGone, selector, targetUrl, loadState, fn\b/,
    "needs a TEXT, or one of --time-ms, --text-gone, --selector, --wait-url, --load-state",
  ],
  [
    /\bgive targetId (t\d+) with it, or focus that tab first/,
    (_, tab = "") => `give --tab ${tab} with it, or \`clawtools browser focus ${tab}\` first`,
  ],
  [
    /\bLeave targetId out for the current tab, or open one/,
    "Without a tab the current one is meant",
  ],
  [/; open makes one\b/, "; `clawtools browser open URL` makes one"],
  [
    /\bstart attaches to it, and tabs lists/,
    "`clawtools browser start` attaches to it, and `clawtools browser tabs` lists",
  ],
  [
    /\bscrollIntoView needs ref\. .*/,
    "scrollIntoView needs a REF, or where to: down, up, bottom, top.",
  ],
  [/\bneeds targetUrl, such/, "needs a URL, such"],
  [/\bneither labels nor mode efficient/, "neither --labels nor --efficient"],
  [
    /^(\w+) needs (?:ref|text|key|values|startRef|endRef|width|height|x|y|fn|fields|one field)\b.*/,
    (_, kind = "") => `${kind} needs another word; see \`clawtools browser act --help\`.`,
  ],
  // camelCase parameter names. Quoted names are JSON and stay.
  [/(?<!")\b[a-z]+[A-Z][A-Za-z]*\b/g, (name) => flagOf(name) ?? name],
];

export function inCliWords(sentence: string): string {
  return RULES.reduce(
    (text, [said, meant]) =>
      typeof meant === "string" ? text.replace(said, () => meant) : text.replace(said, meant),
    sentence,
  );
}
