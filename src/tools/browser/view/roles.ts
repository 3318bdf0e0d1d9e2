// What roles mean for a view.

const WRAPPERS: ReadonlySet<string> = new Set(["generic", "none", "presentation"]);
const STRUCTURE: ReadonlySet<string> = new Set([
  ...WRAPPERS,
  "group",
  "list",
  "listitem",
  "paragraph",
  "row",
  "rowgroup",
  "cell",
  "gridcell",
  "table",
  "grid",
  "region",
  "document",
]);
const CELLS: ReadonlySet<string> = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const NAMED_BY_CONTENT: ReadonlySet<string> = new Set([...CELLS, "row", "listitem"]);
const LANDMARKS: ReadonlySet<string> = new Set([
  "heading",
  "alert",
  "alertdialog",
  "dialog",
  "status",
]);
const ITEMS: ReadonlySet<string> = new Set(["listitem", "row", "article", "treeitem"]);
const PRESSED: ReadonlySet<string> = new Set([
  "button",
  "link",
  "checkbox",
  "radio",
  "switch",
  "tab",
  "option",
  "combobox",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
]);

export const isWrapper = (role: string): boolean => WRAPPERS.has(role);
export const isStructure = (role: string): boolean => STRUCTURE.has(role);
export const isCell = (role: string): boolean => CELLS.has(role);
export const isNamedByContent = (role: string): boolean => NAMED_BY_CONTENT.has(role);
export const isLandmark = (role: string): boolean => LANDMARKS.has(role);
export const isItem = (role: string): boolean => ITEMS.has(role);
export const isPressed = (role: string): boolean => PRESSED.has(role);
