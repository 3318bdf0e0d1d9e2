// Text that would begin a heading, a list or a fence at the start of a line, written so that it does
// not.

/** What would begin something else at the start of a line. */
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
