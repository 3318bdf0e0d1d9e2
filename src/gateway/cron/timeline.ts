// A heap of due times, earliest first. Entries are never removed early; the caller checks whether an
// entry it takes is still valid.

export function createTimeline() {
  const heap: (readonly [number, string])[] = [];
  const timeAt = (index: number) => heap[index]?.[0] ?? Number.POSITIVE_INFINITY;

  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]];
    if (a === undefined || b === undefined) return;
    heap[one] = b;
    heap[other] = a;
  }

  function takeFirst(): readonly [number, string] | undefined {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const least = timeAt(left + 1) < timeAt(left) ? left + 1 : left;
      if (timeAt(least) >= timeAt(index)) return first;
      swap(index, least);
      index = least;
    }
  }

  return {
    push(timeMs: number, id: string): void {
      heap.push([timeMs, id]);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (timeAt(parent) <= timeAt(index)) return;
        swap(index, parent);
        index = parent;
      }
    },
    peek: (): number | undefined => heap[0]?.[0],
    /** Takes every entry that is due. */
    takeUntil(timeMs: number) {
      const due: (readonly [number, string])[] = [];
      while (timeAt(0) <= timeMs) {
        const first = takeFirst();
        if (first) due.push(first);
      }
      return due;
    },
  };
}
