// The blocks of the text in their order, with what is before each line of them: the marks of
// lists and quotations, and the empty lines between.

/** Deeper lists and quotations are not set in further. */
const MAX_INDENTS = 8;

interface Container {
  readonly rest: string;
  readonly listId: number;
}

export interface Blocks {
  /** What follows is in a list or quotation, until `leave`. */
  enter(container: { readonly indent: string; readonly listId?: number }): void;
  leave(): void;
  /** Is before the next block instead of the indent, once. */
  mark(marker: string): void;
  unmark(): void;
  emit(text: string): void;
  /** Characters written so far. */
  chars(): number;
  /** More has been written than may be. */
  isFull(): boolean;
  take(): string;
}

export function createBlocks({ maxChars }: { readonly maxChars: number }): Blocks {
  const parts: string[] = [];
  const containers: Container[] = [];
  let rest = "";
  let listId = -1;
  let marker: string | undefined;
  let chars = 0;
  let last = { rest: "", listId: -1 };

  const separator = (isMarked: boolean): string => {
    if (parts.length === 0) return "";
    if (isMarked && listId !== -1 && last.listId === listId) return "\n";
    return `\n${sharedStart(last.rest, rest).trimEnd()}\n`;
  };
  const push = (part: string) => {
    parts.push(part);
    chars += part.length;
  };
  return {
    enter({ indent, listId: list }) {
      containers.push({ rest, listId });
      if (containers.length <= MAX_INDENTS) rest += indent;
      // Items of lists inside a list stand close together with those around them.
      if (listId === -1 && list !== undefined) listId = list;
    },
    leave() {
      const container = containers.pop();
      if (container === undefined) return;
      rest = container.rest;
      listId = container.listId;
      marker = undefined;
    },
    mark(text) {
      marker = containers.length > MAX_INDENTS ? rest + text.trimStart() : rest + text;
    },
    unmark() {
      marker = undefined;
    },
    emit(text) {
      if (text === "") return;
      push(separator(marker !== undefined));
      const first = marker ?? rest;
      const isPlain = rest === "" || !text.includes("\n");
      push(isPlain ? first + text : first + text.split("\n").join(`\n${rest}`));
      marker = undefined;
      last = { rest, listId };
    },
    chars: () => chars,
    isFull: () => chars > maxChars,
    take: () => parts.join(""),
  };
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
