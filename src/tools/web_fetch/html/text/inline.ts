// The text of one block while it is gathered: pieces with single spaces between them, and marks such
// as `**` that are written only when there is text inside them.

export interface Mark {
  readonly open: string;
  readonly close: string;
}

export interface Inline {
  /** Text whose spaces in a row are one already. */
  addText(text: string): void;
  addSpace(): void;
  addBreak(): void;
  openMark(mark: Mark): void;
  closeMark(): void;
  /** The text so far, without spaces around it; marks that are open start over behind it. */
  take(): string;
}

interface OpenMark extends Mark {
  isWritten: boolean;
}

export function createInline(): Inline {
  let pieces: string[] = [];
  let wantsSpace = false;
  const marks: OpenMark[] = [];
  /** Marks from here on are not written yet. */
  let written = 0;

  const writeMarks = () => {
    while (written < marks.length) {
      const mark = marks[written++];
      if (mark === undefined) break;
      mark.isWritten = true;
      pieces.push(mark.open);
    }
  };
  return {
    addText(text) {
      const from = text.startsWith(" ") ? 1 : 0;
      const to = text.endsWith(" ") ? text.length - 1 : text.length;
      if (from === 1) wantsSpace = true;
      if (to <= from) return;
      if (wantsSpace && pieces.length > 0) pieces.push(" ");
      if (written < marks.length) writeMarks();
      pieces.push(from === 0 && to === text.length ? text : text.slice(from, to));
      wantsSpace = to < text.length;
    },
    addSpace() {
      wantsSpace = true;
    },
    addBreak() {
      if (pieces.length > 0 && pieces.at(-1) !== "\n") pieces.push("\n");
      wantsSpace = false;
    },
    openMark(mark) {
      marks.push({ ...mark, isWritten: false });
    },
    closeMark() {
      const mark = marks.pop();
      if (mark?.isWritten) pieces.push(mark.close);
      written = Math.min(written, marks.length);
    },
    take() {
      if (pieces.length === 0) {
        wantsSpace = false;
        return "";
      }
      for (let index = written - 1; index >= 0; index--) {
        const mark = marks[index];
        if (mark === undefined) continue;
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
