// Counting lines. A line ends with a line feed; what follows the last one is a line if it is not empty.

export function countLines(text: string): number {
  if (text === "") return 0;
  return lineNumberAt(text, text.length - 1);
}

export function lineNumberAt(text: string, index: number): number {
  let line = 1;
  let end = text.indexOf("\n");
  while (end !== -1 && end < index) {
    line++;
    end = text.indexOf("\n", end + 1);
  }
  return line;
}
