// A page that is nearly nothing but text, with one button before it and one behind.

const BYTES_PER_MEGABYTE = 1_000_000;
const SENTENCE = "The quick brown fox jumps over the lazy dog and comes back for tea. ";
const SENTENCES_PER_PARAGRAPH = 50;

export function makeHugeText(megabytes: number): string {
  const paragraph = `<p>${SENTENCE.repeat(SENTENCES_PER_PARAGRAPH)}</p>\n`;
  const count = Math.ceil((megabytes * BYTES_PER_MEGABYTE) / paragraph.length);
  return `<!doctype html><html lang="en"><title>Huge text</title>
<button>First button</button><article>${paragraph.repeat(count)}</article>
<button>Last button</button></html>`;
}
