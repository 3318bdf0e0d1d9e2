// Guards against names that hide: `<input name="parentNode">` replaces what a form says of itself, and
// `<img name="querySelector">` what the document can do, in every world. See HTML, LegacyOverrideBuiltIns.

/** What we ask of elements on the way. */
const USED = [
  "assignedSlot",
  "checkVisibility",
  "childElementCount",
  "children",
  "classList",
  "closest",
  "contains",
  "firstChild",
  "firstElementChild",
  "getAttribute",
  "getRootNode",
  "hasAttribute",
  "hasAttributes",
  "hasChildNodes",
  "isConnected",
  "isContentEditable",
  "localName",
  "matches",
  "nextElementSibling",
  "nextSibling",
  "nodeType",
  "parentElement",
  "parentNode",
  "previousElementSibling",
  "querySelector",
  "shadowRoot",
  "textContent",
] as const;

/** Only forms can be: the value of a name in them is a field, or a list of fields. */
export function isClobbered(element: Element): boolean {
  if (!(element instanceof HTMLFormElement)) return false;
  return USED.some((name) => Object.hasOwn(element, name));
}

function getter<Owner extends Node, Value>(
  prototype: Owner,
  name: keyof Owner,
): (node: Node) => Value {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!read) throw new Error(`No ${String(name)}.`);
  return (node) => read.call(node);
}

export const firstChildOf = getter<Node, Node | null>(Node.prototype, "firstChild");
export const nextSiblingOf = getter<Node, Node | null>(Node.prototype, "nextSibling");
export const parentNodeOf = getter<Node, Node | null>(Node.prototype, "parentNode");

const rootOf = getter<Document, Element | null>(Document.prototype, "documentElement");
const bodyOf = getter<Document, HTMLElement | null>(Document.prototype, "body");
const activeOf = getter<Document, Element | null>(Document.prototype, "activeElement");

/** The document by its own means. */
export const page = {
  root: () => rootOf(document),
  body: () => bodyOf(document),
  active: () => activeOf(document),
  find: (selector: string): Element | null =>
    Document.prototype.querySelector.call(document, selector),
  findAll: (selector: string): NodeListOf<Element> =>
    Document.prototype.querySelectorAll.call(document, selector),
  byId: (id: string): HTMLElement | null => Document.prototype.getElementById.call(document, id),
} as const;
