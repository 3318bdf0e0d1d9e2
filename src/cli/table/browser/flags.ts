// The flags that commands of `browser` share. Which parameter of the tool each is, browser/parameters.ts
// knows.

import { ALLOW_LOCAL_FLAG, type FlagTable, JSON_FLAG } from "../../flags.js";

export const USES_DAEMON = "It speaks to the browser that `clawtools browser open` keeps open.";
export const NEEDS_NONE = "With --url none needs to be open.";

export const PLACE_FLAGS = {
  profile: { type: "string", value: "NAME", text: "This profile of the browser; default chrome." },
  "timeout-ms": { type: "string", value: "MS", text: "Milliseconds for it, at most 120000." },
  ...ALLOW_LOCAL_FLAG,
  ...JSON_FLAG,
} as const satisfies FlagTable;

/** Of what is about one page. */
export const TAB_FLAGS = {
  tab: { type: "string", value: "ID", text: "This tab, such as t1; default: the last used." },
  ...PLACE_FLAGS,
} as const satisfies FlagTable;

export const URL_FLAG = {
  url: { type: "string", value: "URL", text: "Open this page for it, and close it afterwards." },
} as const satisfies FlagTable;

/** What is looked at, and how much of it. */
export const PART_FLAGS = {
  query: { type: "string", value: "WORDS", text: "Only lines with all these words." },
  selector: { type: "string", value: "CSS", text: "Only what is in the first match." },
  frame: { type: "string", value: "IFRAME", text: "Only this iframe: its ref, or its CSS." },
  page: { type: "string", value: "NUMBER", text: "This part of a long answer." },
  "max-chars": { type: "string", value: "COUNT", text: "Characters at most; default 20000." },
} as const satisfies FlagTable;

export const RECORD_FLAGS = {
  query: { type: "string", value: "WORDS", text: "Only those with all these words." },
  limit: { type: "string", value: "COUNT", text: "So many of the newest; default 50." },
  clear: { type: "boolean", text: "Forget what is shown." },
  ...TAB_FLAGS,
} as const satisfies FlagTable;
