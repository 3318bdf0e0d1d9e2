// Text of several lines as one; a pattern for it would try every space again and again.

export function toOneLine(text: string): string {
  if (!text.includes("\n")) return text;
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
