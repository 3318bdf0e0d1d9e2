// Text while it is written: the pieces of one block with their marks, the blocks in their order with
// the signs of lists and quotations before each line, and what would begin something else escaped.

interface Mark {
  readonly open: string;
  readonly close: string;
}

export type Inline = ReturnType<typeof createInline>;

interface OpenMark extends Mark {
  isWritten: boolean;
}

export function createInline() {
  let pieces: string[] = [];
  let wantsSpace = false;
  const marks: OpenMark[] = [];
  let written = 0;

  const writeMarks = () => {
    for (const mark of marks.slice(written)) {
      mark.isWritten = true;
      pieces.push(mark.open);
    }
    written = marks.length;
  };
  return {
    /** Text whose spaces in a row are one already. */
    addText(text: string): void {
      const from = text.startsWith(" ") ? 1 : 0;
      const to = text.endsWith(" ") ? text.length - 1 : text.length;
      if (from === 1) wantsSpace = true;
      if (to <= from) return;
      if (wantsSpace && pieces.length > 0) pieces.push(" ");
      if (written < marks.length) writeMarks();
      pieces.push(from === 0 && to === text.length ? text : text.slice(from, to));
      wantsSpace = to < text.length;
    },
    addSpace(): void {
      wantsSpace = true;
    },
    addBreak(): void {
      if (pieces.length > 0 && pieces.at(-1) !== "\n") pieces.push("\n");
      wantsSpace = false;
    },
    openMark(mark: Mark): void {
      marks.push({ ...mark, isWritten: false });
    },
    closeMark(): void {
      const mark = marks.pop();
      if (mark?.isWritten) pieces.push(mark.close);
      written = Math.min(written, marks.length);
    },
    take(): string {
      if (pieces.length === 0) {
        wantsSpace = false;
        return "";
      }
      for (const mark of marks.slice(0, written).reverse()) {
        pieces.push(mark.close);
        mark.isWritten = false;
      }
      const text = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
      pieces = [];
      written = 0;
      wantsSpace = false;
      return text.trim();
    },
  };
}

const MAX_INDENTS = 8;

export type Blocks = ReturnType<typeof createBlocks>;

interface Container {
  readonly indent: string;
  readonly listId?: number;
}

export function createBlocks({ maxChars }: { readonly maxChars: number }) {
  const parts: string[] = [];
  const containers: { readonly rest: string; readonly listId: number }[] = [];
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
    enter({ indent, listId: list }: Container): void {
      containers.push({ rest, listId });
      if (containers.length <= MAX_INDENTS) rest += indent;
      // Items of lists inside a list stand close together with those around them.
      if (listId === -1 && list !== undefined) listId = list;
    },
    leave(): void {
      const container = containers.pop();
      if (container === undefined) return;
      rest = container.rest;
      listId = container.listId;
      marker = undefined;
    },
    /** Is before the next block instead of the indent, once. */
    mark(text: string): void {
      marker = containers.length > MAX_INDENTS ? rest + text.trimStart() : rest + text;
    },
    emit(text: string): void {
      if (text === "") return;
      push(separator(marker !== undefined));
      const first = marker ?? rest;
      const isPlain = rest === "" || !text.includes("\n");
      push(isPlain ? first + text : first + text.split("\n").join(`\n${rest}`));
      marker = undefined;
      last = { rest, listId };
    },
    chars: (): number => chars,
    isFull: (): boolean => chars > maxChars,
    take: (): string => parts.join(""),
  };
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

const LINE_START = /^(?:#{1,6}(?=\s)|[-+*>](?=\s)|\d{1,9}[.)](?=\s)|```|~~~)/;
const LINE_STARTERS = new Set("#-+*>`~0123456789");

export function escapeLines(text: string): string {
  if (!text.includes("\n")) return escapeLine(text);
  return text.split("\n").map(escapeLine).join("\n");
}

function escapeLine(line: string): string {
  return LINE_STARTERS.has(line[0] ?? "") && LINE_START.test(line) ? escapeStart(line) : line;
}

function escapeStart(line: string): string {
  return /^\d/.test(line) ? line.replace(/[.)]/, "\\$&") : `\\${line}`;
}

/** Titles of pages often have the name of the site behind them. */
export function isTitle(heading: string, title: string): boolean {
  const [own, page] = [heading, title].map((text) =>
    text
      .toLowerCase()
      .replace(/[\s\u200b]+/g, " ")
      .trim(),
  );
  if (own === undefined || page === undefined || own === "") return false;
  return page === own || page.startsWith(`${own} `) || page.endsWith(` ${own}`);
}
