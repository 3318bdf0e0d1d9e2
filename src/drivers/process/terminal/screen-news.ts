// What is new on a screen since it was last shown.

export interface ShownScreen {
  readonly screen: string;
  readonly isAlternate: boolean;
}

/**
 * `text` is everything from the top of the earlier screen on. On a screen that does not scroll there
 * is no such thing as a next line, so all of it is shown once something has changed.
 */
export function newsBehind(
  before: ShownScreen,
  now: ShownScreen & { readonly text: string },
): string {
  if (now.isAlternate) {
    return before.isAlternate && before.screen === now.screen ? "" : now.text;
  }
  if (before.isAlternate || before.screen === "") return now.text;
  if (now.text.startsWith(before.screen)) return withoutBreak(now.text.slice(before.screen.length));
  return now.text.slice(sharedLines(before.screen, now.text));
}

function withoutBreak(text: string): string {
  return text.startsWith("\n") ? text.slice(1) : text;
}

/** Length of the whole lines with which both begin. */
function sharedLines(left: string, right: string): number {
  let end = 0;
  for (let feed = right.indexOf("\n"); feed !== -1; feed = right.indexOf("\n", end)) {
    if (left.slice(end, feed + 1) !== right.slice(end, feed + 1)) return end;
    end = feed + 1;
  }
  return end;
}
