// Other names that models use, for calls, `request` and batch steps.

import { ACT_KINDS } from "./actions.js";

/** Each word with what it means: of `{ Meta: "cmd win" }`, both words mean `Meta`. */
export function bySpelling<Meaning extends string>(
  table: Readonly<Record<Meaning, string>>,
): Readonly<Record<string, Meaning>> {
  const entries = Object.entries(table) as [Meaning, string][];
  return Object.fromEntries(
    entries.flatMap(([meaning, words]) => words.split(" ").map((word) => [word, meaning])),
  );
}

export const FIELD_SPELLINGS = bySpelling({
  targetUrl: "url",
  targetId: "tabId tab",
  ref: "targetRef elementRef",
  text: "value",
  key: "keys direction scrollDirection position",
  doubleClick: "dblClick double",
  startRef: "from",
  endRef: "to",
  values: "options option",
  fn: "expression script code function",
  timeMs: "ms",
  delayMs: "delay",
  timeoutMs: "timeout",
  actions: "steps requests",
  y: "amount scrollAmount pixels distance deltaY scrollY dy",
  x: "deltaX scrollX dx",
});

export const CALL_SPELLINGS = bySpelling({
  profile: "name",
  query: "filter",
  paths: "filePaths files file",
  promptText: "answer response inputText",
  snapshotFormat: "format",
});

type Meant = Readonly<Record<string, unknown>>;

/** Fields such as `from` and `to` are in FIELD_SPELLINGS. */
export const KIND_WORDS: Readonly<Record<string, Meant>> = {
  ...meaning({ kind: "click", doubleClick: true }, ["dblclick", "double_click"]),
  ...meaning({ kind: "click", button: "right" }, ["right_click"]),
  ...meaning({ kind: "click" }, ["left_click", "mouse_click", "tap"]),
  ...meaning({ kind: "clickCoords" }, ["click_at"]),
  click_coords: { kind: "clickCoords" },
  ...meaning({ kind: "fill", text: "true" }, ["check"]),
  ...meaning({ kind: "fill", text: "false" }, ["uncheck"]),
  ...meaning({ kind: "type" }, ["input"]),
  ...meaning({ kind: "press" }, ["key", "press_key"]),
  ...meaning({ kind: "press", key: "PageDown" }, ["page_down"]),
  ...meaning({ kind: "press", key: "PageUp" }, ["page_up"]),
  ...meaning({ kind: "select" }, ["select_option"]),
  ...meaning({ kind: "scrollIntoView" }, ["scroll", "scroll_to", "scroll_by"]),
  scroll_into_view: { kind: "scrollIntoView" },
  ...meaning({ kind: "scrollIntoView" }, ["scroll_page", "mouse_wheel", "wheel"]),
  // `direction` is read as `key`.
  ...meaning({ kind: "scrollIntoView", key: "down" }, ["scroll_down"]),
  ...meaning({ kind: "scrollIntoView", key: "up" }, ["scroll_up"]),
  ...meaning({ kind: "scrollIntoView", key: "bottom" }, ["scroll_to_bottom", "scroll_to_end"]),
  ...meaning({ kind: "scrollIntoView", key: "top" }, ["scroll_to_top"]),
  ...meaning({ kind: "evaluate" }, ["eval"]),
  ...meaning({ kind: "wait" }, ["wait_for", "sleep"]),
};

function meaning(meant: Meant, words: readonly string[]): Readonly<Record<string, Meant>> {
  const spelled = words.flatMap((word) => [word, word.replaceAll("_", "")]);
  return Object.fromEntries(spelled.map((word) => [word, meant]));
}

const KINDS_AS_ACTIONS = ACT_KINDS.filter((kind) => kind !== "close");

export const ACTION_WORDS: Readonly<Record<string, Meant>> = {
  ...Object.fromEntries(
    KINDS_AS_ACTIONS.map((kind) => [kind.toLowerCase(), { action: "act", kind }]),
  ),
  ...Object.fromEntries(
    Object.entries(KIND_WORDS).map(([word, meant]) => [word, { action: "act", ...meant }]),
  ),
  ...meaning({ action: "navigate" }, ["goto", "go", "visit"]),
  ...meaning({ action: "navigate", targetUrl: "back" }, ["back", "go_back"]),
  ...meaning({ action: "navigate", targetUrl: "forward" }, ["forward", "go_forward"]),
  ...meaning({ action: "navigate", targetUrl: "reload" }, ["reload", "refresh"]),
  ...meaning({ action: "create-profile" }, ["create_profile"]),
  ...meaning({ action: "delete-profile" }, ["delete_profile"]),
  ...meaning({ action: "reset-profile" }, ["reset_profile"]),
  ...meaning({ action: "open" }, ["new_tab"]),
  ...meaning({ action: "close" }, ["close_tab"]),
  ...meaning({ action: "tabs" }, ["list_tabs"]),
};
