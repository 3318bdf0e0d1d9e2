// Other names and words that models use: one list for what stands at the top of a call, inside
// `request` and in the steps of a batch.

import { ACT_KINDS } from "./actions.js";

/** Of the fields of an act. */
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

/** Of the other fields. */
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

/** Kinds of act; `from`, `to` and the like come with the fields. */
export const KIND_WORDS: Readonly<Record<string, Meant>> = {
  dblclick: { kind: "click", doubleClick: true },
  doubleclick: { kind: "click", doubleClick: true },
  rightclick: { kind: "click", button: "right" },
  double_click: { kind: "click", doubleClick: true },
  right_click: { kind: "click", button: "right" },
  left_click: { kind: "click" },
  leftclick: { kind: "click" },
  mouse_click: { kind: "click" },
  mouseclick: { kind: "click" },
  click_coords: { kind: "clickCoords" },
  clickat: { kind: "clickCoords" },
  click_at: { kind: "clickCoords" },
  tap: { kind: "click" },
  check: { kind: "fill", text: "true" },
  uncheck: { kind: "fill", text: "false" },
  input: { kind: "type" },
  key: { kind: "press" },
  presskey: { kind: "press" },
  press_key: { kind: "press" },
  selectoption: { kind: "select" },
  select_option: { kind: "select" },
  scroll: { kind: "scrollIntoView" },
  scrollto: { kind: "scrollIntoView" },
  scroll_to: { kind: "scrollIntoView" },
  scrollby: { kind: "scrollIntoView" },
  scroll_by: { kind: "scrollIntoView" },
  scroll_into_view: { kind: "scrollIntoView" },
  scrollpage: { kind: "scrollIntoView" },
  scroll_page: { kind: "scrollIntoView" },
  mousewheel: { kind: "scrollIntoView" },
  mouse_wheel: { kind: "scrollIntoView" },
  wheel: { kind: "scrollIntoView" },
  ...pressing("PageDown", ["pagedown", "page_down"]),
  ...pressing("PageUp", ["pageup", "page_up"]),
  ...scrolling("down", ["scrolldown", "scroll_down"]),
  ...scrolling("up", ["scrollup", "scroll_up"]),
  ...scrolling("bottom", ["scrolltobottom", "scroll_to_bottom", "scrolltoend", "scroll_to_end"]),
  ...scrolling("top", ["scrolltotop", "scroll_to_top"]),
  eval: { kind: "evaluate" },
  waitfor: { kind: "wait" },
  wait_for: { kind: "wait" },
  sleep: { kind: "wait" },
};

function pressing(key: string, words: readonly string[]): Readonly<Record<string, Meant>> {
  return Object.fromEntries(words.map((word) => [word, { kind: "press", key }]));
}

/** Where to is read of the field that keys have, as `direction` is. */
function scrolling(key: string, words: readonly string[]): Readonly<Record<string, Meant>> {
  return Object.fromEntries(words.map((word) => [word, { kind: "scrollIntoView", key }]));
}

/** `close` is an action of its own, which does the same. */
const KINDS_AS_ACTIONS = ACT_KINDS.filter((kind) => kind !== "close");

/** By small letters. */
export const ACTION_WORDS: Readonly<Record<string, Meant>> = {
  ...Object.fromEntries(
    KINDS_AS_ACTIONS.map((kind) => [kind.toLowerCase(), { action: "act", kind }]),
  ),
  ...Object.fromEntries(
    Object.entries(KIND_WORDS).map(([word, meant]) => [word, { action: "act", ...meant }]),
  ),
  goto: { action: "navigate" },
  go: { action: "navigate" },
  visit: { action: "navigate" },
  back: { action: "navigate", targetUrl: "back" },
  goback: { action: "navigate", targetUrl: "back" },
  go_back: { action: "navigate", targetUrl: "back" },
  forward: { action: "navigate", targetUrl: "forward" },
  goforward: { action: "navigate", targetUrl: "forward" },
  go_forward: { action: "navigate", targetUrl: "forward" },
  reload: { action: "navigate", targetUrl: "reload" },
  refresh: { action: "navigate", targetUrl: "reload" },
  createprofile: { action: "create-profile" },
  create_profile: { action: "create-profile" },
  deleteprofile: { action: "delete-profile" },
  delete_profile: { action: "delete-profile" },
  resetprofile: { action: "reset-profile" },
  reset_profile: { action: "reset-profile" },
  newtab: { action: "open" },
  new_tab: { action: "open" },
  closetab: { action: "close" },
  close_tab: { action: "close" },
  listtabs: { action: "tabs" },
  list_tabs: { action: "tabs" },
};
