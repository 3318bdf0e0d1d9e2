// Characters that nobody sees: a model reads them all the same, so they are left out and counted.

const UNSEEN = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]|\udb40[\udc00-\udc7f]/g;

export function dropUnseen(text: string): { readonly text: string; readonly hiddenChars: number } {
  const seen = text.replace(UNSEEN, "");
  return { text: seen, hiddenChars: text.length - seen.length };
}
