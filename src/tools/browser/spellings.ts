// Other names that models use, for calls, `request` and batch steps.

import { ACT_KINDS } from "./actions.js";

export const FIELD_SPELLINGS = {
  url: "targetUrl",
  tabId: "targetId",
  tab: "targetId",
  targetRef: "ref",
  elementRef: "ref",
  value: "text",
  keys: "key",
  dblClick: "doubleClick",
  double: "doubleClick",
  from: "startRef",
  to: "endRef",
  options: "values",
  option: "values",
  expression: "fn",
  script: "fn",
  code: "fn",
  function: "fn",
  ms: "timeMs",
  delay: "delayMs",
  timeout: "timeoutMs",
  steps: "actions",
  requests: "actions",
  direction: "key",
  scrollDirection: "key",
  position: "key",
  amount: "y",
  scrollAmount: "y",
  pixels: "y",
  distance: "y",
  deltaY: "y",
  scrollY: "y",
  dy: "y",
  deltaX: "x",
  scrollX: "x",
  dx: "x",
} as const;

export const CALL_SPELLINGS = {
  name: "profile",
  filter: "query",
  filePaths: "paths",
  files: "paths",
  file: "paths",
  answer: "promptText",
  response: "promptText",
  inputText: "promptText",
  format: "snapshotFormat",
} as const;

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
