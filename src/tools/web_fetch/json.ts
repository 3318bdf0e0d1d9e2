// JSON with a line for each value. Only the spaces between values change, so that numbers stay as
// they were written, however long.

import { MAX_KEPT_CHARS } from "./settings.js";

const MAX_INDENTS = 20;
const STEP = "  ";
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

export function formatJson(source: string): string | undefined {
  return isJson(source) ? indent(source) : undefined;
}

function isJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

function indent(source: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let chars = 0;
  let opened = "";
  const push = (piece: string) => {
    pieces.push(piece);
    chars += piece.length;
  };
  const line = () => push(`\n${STEP.repeat(Math.min(depth, MAX_INDENTS))}`);
  for (const [token] of source.matchAll(TOKEN)) {
    if (chars > MAX_KEPT_CHARS) break;
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth--;
    if (opened !== "" || isEnd) {
      if (!(isEnd && opened !== "")) line();
      opened = "";
    }
    push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") {
      depth++;
      opened = token;
    } else if (token === ",") line();
  }
  return pieces.join("").slice(0, MAX_KEPT_CHARS);
}
