// Notes where a document changed since it was told last, also in shadow roots and in fields, whose
// values are no part of the tree.

/** With more places than this the whole document is read again. */
const MAX_PLACES = 200;
const FIELD_EVENTS = ["input", "change", "toggle"] as const;

export interface Mutations {
  /** Of a document or a shadow root. Again is the same as once. */
  observe(root: Document | ShadowRoot): void;
  /** Where it changed since the last time; undefined: in too many places. */
  take(): readonly Element[] | undefined;
}

export function createMutations(): Mutations {
  const places = new Set<Element>();
  const seen = new WeakSet<Node>();
  let isOverfull = false;
  const note = (node: unknown) => {
    if (isOverfull) return;
    const place = node instanceof Element ? node : node instanceof Node ? hostOf(node) : null;
    if (place) places.add(place);
    if (places.size > MAX_PLACES) isOverfull = true;
  };
  const noteAll = (records: readonly MutationRecord[]) => {
    for (const { target } of records) note(target);
  };
  const observer = new MutationObserver(noteAll);
  for (const type of FIELD_EVENTS) {
    addEventListener(type, (event) => note(event.composedPath()[0]), {
      capture: true,
      passive: true,
    });
  }
  return {
    observe: (root) => {
      if (seen.has(root)) return;
      seen.add(root);
      observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
    },
    take: () => {
      noteAll(observer.takeRecords());
      const taken = isOverfull ? undefined : [...places];
      places.clear();
      isOverfull = false;
      return taken;
    },
  };
}

function hostOf(node: Node): Element | null {
  if (node instanceof ShadowRoot) return node.host;
  if (node instanceof Document) return node.documentElement;
  return node.parentElement;
}
