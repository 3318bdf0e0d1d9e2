// Watches a document and its shadow roots for every kind of change, each of them once.

export interface RootObserver {
  /** Of a document or a shadow root. Again is the same as once. */
  observe(root: Document | ShadowRoot): void;
  /** What was seen and not handed over yet. */
  takeRecords(): readonly MutationRecord[];
}

export function observeRoots(note: (records: readonly MutationRecord[]) => void): RootObserver {
  const seen = new WeakSet<Node>();
  const observer = new MutationObserver(note);
  return {
    observe(root) {
      if (seen.has(root)) return;
      seen.add(root);
      observer.observe(root, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
        characterDataOldValue: true,
      });
    },
    takeRecords: () => observer.takeRecords(),
  };
}
