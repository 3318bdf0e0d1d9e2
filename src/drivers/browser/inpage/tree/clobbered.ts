// Reads the DOM through prototypes, because `<input name="parentNode">` hides properties of a form
// and `<img name="querySelector">` those of the document. See HTML, LegacyOverrideBuiltIns.

type Tree = Document | ShadowRoot;

function getter<Owner extends object, Name extends keyof Owner>(
  prototype: Owner,
  name: Name,
): (node: Owner) => Owner[Name] {
  const read = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!read) throw new Error(`No ${String(name)}.`);
  return (node) => read.call(node);
}

export const nodeTypeOf = getter(Node.prototype, "nodeType");
export const firstChildOf = getter(Node.prototype, "firstChild");
export const nextSiblingOf = getter(Node.prototype, "nextSibling");
export const parentNodeOf = getter(Node.prototype, "parentNode");
const isInDocument = getter(Node.prototype, "isConnected");
const documentOf = getter(Node.prototype, "ownerDocument");
/** Reading it from the window is slow. */
const own = document;
export const isConnected = (node: Node): boolean => isInDocument(node) && documentOf(node) === own;
export const textOf = getter(Node.prototype, "textContent");
export const tagOf = getter(Element.prototype, "localName");
export const shadowOf = getter(Element.prototype, "shadowRoot");
export const slotOf = getter(Element.prototype, "assignedSlot");
export const childrenOf = getter(Element.prototype, "children");
export const firstElementOf = getter(Element.prototype, "firstElementChild");
export const childCountOf = getter(Element.prototype, "childElementCount");
export const elementBefore = getter(Element.prototype, "previousElementSibling");
export const elementAfter = getter(Element.prototype, "nextElementSibling");
export const classesOf = getter(Element.prototype, "classList");
export const heightOf = getter(Element.prototype, "clientHeight");
export const idOf = getter(Element.prototype, "id");
const innerText = getter(HTMLElement.prototype, "innerText");
const isEditableElement = getter(HTMLElement.prototype, "isContentEditable");

const {
  getAttribute,
  hasAttribute,
  hasAttributes,
  matches,
  closest,
  checkVisibility,
  getBoundingClientRect,
  getClientRects,
  scrollIntoView,
  querySelector,
  querySelectorAll,
} = Element.prototype;
const { compareDocumentPosition, contains, getRootNode } = Node.prototype;

export const attributeOf = (element: Element, name: string): string | null =>
  getAttribute.call(element, name);
export const hasAttributeOf = (element: Element, name: string): boolean =>
  hasAttribute.call(element, name);
export const hasAttributesOf = (element: Element): boolean => hasAttributes.call(element);
export const isMatch = (element: Element, selector: string): boolean =>
  matches.call(element, selector);
export const closestOf = (element: Element, selector: string): Element | null =>
  closest.call(element, selector);
export const findIn = (element: Element, selector: string): Element | null =>
  querySelector.call(element, selector);
export const findAllIn = (element: Element, selector: string): NodeListOf<Element> =>
  querySelectorAll.call(element, selector);
export const isDrawn = (element: Element, options?: CheckVisibilityOptions): boolean =>
  checkVisibility.call(element, options);
export const boxOf = (element: Element): DOMRect => getBoundingClientRect.call(element);
export const rectsOf = (element: Element): DOMRectList => getClientRects.call(element);
export const scrollToElement = (element: Element, options: ScrollIntoViewOptions): void =>
  scrollIntoView.call(element, options);
export const isAround = (node: Node, other: Node | null): boolean => contains.call(node, other);
export const isBefore = (node: Node, other: Node): boolean =>
  (compareDocumentPosition.call(node, other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
export const rootOf = (node: Node): Node => getRootNode.call(node);
export const isEditable = (element: Element): boolean =>
  element instanceof HTMLElement && isEditableElement(element);
export const innerTextOf = (element: Element | null): string =>
  element instanceof HTMLElement ? innerText(element) : "";
export const isTree = (node: Node): node is Tree =>
  node instanceof Document || node instanceof ShadowRoot;

/** By node type: `instanceof` is slow. */
export const isElement = (node: Node): node is Element => nodeTypeOf(node) === Node.ELEMENT_NODE;
export const isText = (node: Node): boolean => nodeTypeOf(node) === Node.TEXT_NODE;

export const isAnElement = (value: unknown): value is Element => value instanceof Element;
export const isShadowRoot = (node: unknown): node is ShadowRoot => node instanceof ShadowRoot;
export const isInput = (node: unknown): node is HTMLInputElement =>
  node instanceof HTMLInputElement;
export const isTextArea = (node: unknown): node is HTMLTextAreaElement =>
  node instanceof HTMLTextAreaElement;
export const isSelect = (node: unknown): node is HTMLSelectElement =>
  node instanceof HTMLSelectElement;

/** Only forms can hide properties behind fields. */
export function isClobbered(element: Element): boolean {
  if (!(element instanceof HTMLFormElement)) return false;
  return Object.getOwnPropertyNames(element).some((name) => name in HTMLFormElement.prototype);
}

const rootElementOf = getter(Document.prototype, "documentElement");
const bodyOf = getter(Document.prototype, "body");
const readyStateOf = getter(Document.prototype, "readyState");
const activeInDocument = getter(Document.prototype, "activeElement");
const sheetsOfDocument = getter(Document.prototype, "styleSheets");
const addedToDocument = getter(Document.prototype, "adoptedStyleSheets");
const baseOf = getter(Node.prototype, "baseURI");

export const tree = {
  active: (root: Tree): Element | null =>
    root instanceof Document ? activeInDocument(root) : root.activeElement,
  at: (root: Tree, x: number, y: number): Element | null =>
    root instanceof Document
      ? Document.prototype.elementFromPoint.call(root, x, y)
      : root.elementFromPoint(x, y),
  byId: (root: Tree, id: string): Element | null =>
    root instanceof Document
      ? Document.prototype.getElementById.call(root, id)
      : root.getElementById(id),
  find: (root: Tree, selector: string): Element | null =>
    root instanceof Document
      ? Document.prototype.querySelector.call(root, selector)
      : root.querySelector(selector),
  findAll: (root: Tree, selector: string): NodeListOf<Element> =>
    root instanceof Document
      ? Document.prototype.querySelectorAll.call(root, selector)
      : root.querySelectorAll(selector),
  sheets: (root: Tree): readonly CSSStyleSheet[] =>
    root instanceof Document
      ? [...sheetsOfDocument(root), ...addedToDocument(root)]
      : [...root.styleSheets, ...root.adoptedStyleSheets],
} as const;

export const page = {
  root: () => rootElementOf(document),
  body: () => bodyOf(document),
  active: () => activeInDocument(document),
  readyState: () => readyStateOf(document),
  baseUrl: () => baseOf(document),
  find: (selector: string) => tree.find(document, selector),
  findAll: (selector: string) => tree.findAll(document, selector),
  byId: (id: string): HTMLElement | null => Document.prototype.getElementById.call(document, id),
  range: (): Range => Document.prototype.createRange.call(document),
  create: (tag: "pre"): HTMLElement => Document.prototype.createElement.call(document, tag),
} as const;
