// A page of a few lines in the tab of a flow, and what its answers hold.
import type { Flow } from "./flow-setting.js";
import { createSeenPage } from "./seen-page.js";

export interface ShownPage {
  /** Of the answer. */
  readonly text: string;
  /** Throws with the answer when it is not there. */
  ref(role: string, name: string): string;
}

export function createShow(flow: Pick<Flow, "call">): (html: string) => Promise<ShownPage> {
  return async (html) => {
    const page = `<!doctype html><title>P</title>${html}`;
    const targetUrl = `data:text/html,${encodeURIComponent(page)}`;
    const { text, isError } = await flow.call({ action: "navigate", targetUrl });
    if (isError) throw new Error(text);
    return { text, ref: refIn(text) };
  };
}

/** By role and name. */
function refIn(text: string): ShownPage["ref"] {
  const seen = createSeenPage();
  seen.replace(text);
  return (role, name) => {
    const found = seen.find({ role, name })?.ref;
    if (found === undefined) throw new Error(`No ${role} "${name}" in:\n${text}`);
    return found;
  };
}

/** What the page said, without the marks around it. */
export function inner(text: string): string {
  return /<<<EXTERNAL[^\n]*\n([\s\S]*?)\n<<<END/.exec(text)?.[1] ?? text;
}
