// A table of data while it is gathered cell by cell, and as Markdown or plain text.

const MAX_COLUMNS = 60;
const MAX_CELLS = 100_000;

interface Span {
  readonly columns: number;
  readonly rows: number;
}

export interface Table {
  beginRow(): void;
  addCell(text: string, span: Span): void;
  write(mode: "markdown" | "text"): string;
}

export function createTable(): Table {
  const rows: string[][] = [];
  /** Rows for which a cell above still takes this column. */
  let taken: number[] = [];
  let row: string[] | undefined;
  let cellCount = 0;
  const skipTaken = (into: string[]) => {
    while ((taken[into.length] ?? 0) > 0 && into.length < MAX_COLUMNS) {
      taken[into.length] = (taken[into.length] ?? 0) - 1;
      into.push("");
    }
  };
  return {
    beginRow() {
      row = [];
      rows.push(row);
      skipTaken(row);
    },
    addCell(text, span) {
      if (row === undefined) {
        row = [];
        rows.push(row);
      }
      if (cellCount > MAX_CELLS) return;
      for (let column = 0; column < span.columns && row.length < MAX_COLUMNS; column++) {
        cellCount++;
        if (span.rows > 1) taken[row.length] = span.rows - 1;
        row.push(column === 0 ? text : "");
      }
      skipTaken(row);
    },
    write(mode) {
      taken = [];
      const filled = rows.filter((cells) => cells.some((cell) => cell !== ""));
      return mode === "text"
        ? filled.map((cells) => cells.join(" | ")).join("\n")
        : toMarkdown(filled);
    },
  };
}

/** Markdown wants a first row for the heads, so the first one is taken for it. */
function toMarkdown(rows: readonly string[][]): string {
  const [head, ...body] = rows;
  if (head === undefined) return "";
  const width = Math.max(...rows.map((cells) => cells.length));
  const line = (cells: readonly string[]) => {
    const padded = Array.from({ length: width }, (_, index) => toCell(cells[index] ?? ""));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = `|${" --- |".repeat(width)}`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

function toCell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}
