// What lies under a point, through open shadow roots, and where an element can be hit. The flat tree
// decides what is inside what: slots and shadow hosts are parents like others.

/** x, y, width, height in the viewport of the frame. */
export type Box = readonly [x: number, y: number, width: number, height: number];

export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Hit =
  | { readonly point: Point; readonly by?: undefined }
  | { readonly point?: undefined; readonly by: Element | undefined };

/** Parts of a box, the middle first: where a click is tried. */
const TRIED_PARTS: readonly (readonly [number, number])[] = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
];
/** Elements that take a click for themselves. */
const OWN_CLICK = "a[href], button, input, select, textarea";
/** Of an element in several lines. */
const MAX_TRIED_BOXES = 4;

/** The innermost element at a point; undefined outside of the viewport. */
export function elementAt({ x, y }: Point): Element | undefined {
  let root: Document | ShadowRoot = document;
  let found: Element | undefined;
  for (;;) {
    const hit: Element | null = root.elementFromPoint(x, y);
    if (!hit || hit === found) return found;
    found = hit;
    if (!hit.shadowRoot || hit.shadowRoot === root) return found;
    root = hit.shadowRoot;
  }
}

export function parentOf(node: Node): Node | null {
  if (node instanceof Element && node.assignedSlot) return node.assignedSlot;
  return node instanceof ShadowRoot ? node.host : node.parentNode;
}

/** An element is in itself. */
export function isIn(node: Node, ancestor: Node): boolean {
  for (let at: Node | null = node; at; at = parentOf(at)) if (at === ancestor) return true;
  return false;
}

/** Whether a click on this node is a click on the element: it is in it, or in a label of it. */
export function isFor(node: Node, element: Element): boolean {
  for (let at: Node | null = node; at; at = parentOf(at)) {
    if (at === element) return true;
    if (at instanceof HTMLLabelElement && at.control === element) return true;
    // A link in a label is a link.
    if (at instanceof Element && at.matches(OWN_CLICK)) return isIn(at, element);
  }
  return false;
}

/** Boxes of an element that have a size; those of its content when it has none itself. */
export function boxesOf(element: Element): readonly DOMRect[] {
  const own = [...element.getClientRects()].filter(hasSize);
  if (own.length > 0) return own;
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].filter(hasSize);
}

export function hasSize({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
}

/** A point where the element itself is on top, else what lies over it. */
export function findPoint(element: Element): Hit {
  let by: Element | undefined;
  for (const box of boxesOf(element).slice(0, MAX_TRIED_BOXES)) {
    const seen = cutToViewport(box);
    if (!hasSize(seen)) continue;
    for (const [partX, partY] of TRIED_PARTS) {
      const point = { x: seen.x + seen.width * partX, y: seen.y + seen.height * partY };
      const hit = elementAt(point);
      if (hit && isFor(hit, element)) return { point };
      by ??= hit;
    }
  }
  return { by };
}

function cutToViewport(box: DOMRect): DOMRect {
  const left = Math.max(box.left, 0);
  const top = Math.max(box.top, 0);
  const right = Math.min(box.right, innerWidth);
  const bottom = Math.min(box.bottom, innerHeight);
  return new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
}
