// The steps of a task by @playwright/mcp, in a child process over stdio, with its default settings. It
// answers acts with a link to a file, so refs come from its snapshot call.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createHandClient, type HandClient, textOf } from "../../../mcp/hand-client.js";
import { type Act, createTally, type FilledField, type Hands, type Reply } from "./hands.js";

const FIELD_TYPES: Readonly<Record<string, string>> = {
  textbox: "textbox",
  searchbox: "textbox",
  spinbutton: "textbox",
  checkbox: "checkbox",
  radio: "radio",
  combobox: "combobox",
  slider: "slider",
};
const PAGE_URL = /^- Page URL: (.*)$/m;
/** More than its own limit for anything it waits for. */
const MAX_CALL_MS = 60_000;
const MAX_END_MS = 5_000;

export interface PeerOptions {
  /** Its working folder; it writes files below, and takes uploads from there. */
  readonly root: string;
  readonly executablePath: string;
}

export interface PeerHands extends Hands {
  /** A call that is not counted: the text of its answer. */
  call(name: string, args: object): Promise<string>;
  /** The whole answer to tools/list, as JSON. */
  listTools(): Promise<string>;
}

export async function createPeerHands({ root, executablePath }: PeerOptions): Promise<PeerHands> {
  const child = spawn(
    process.execPath,
    [
      findProgram(),
      "--headless",
      "--no-sandbox",
      "--isolated",
      "--executable-path",
      executablePath,
    ],
    { cwd: root, stdio: ["pipe", "pipe", "ignore"] },
  );
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const client = createHandClient({ from: child.stdout, to: child.stdin });
  await limited(client.initialize(), MAX_CALL_MS);
  return {
    ...createCounted(client),
    call: async (name, args) =>
      textOf(await limited(client.request("tools/call", { name, arguments: args }), MAX_CALL_MS)),
    listTools: async () => {
      const { result } = await limited(client.request("tools/list"), MAX_CALL_MS);
      return JSON.stringify(result);
    },
    async close() {
      // It closes its browser when its input ends.
      child.stdin.end();
      await limited(ended, MAX_END_MS).catch(() => child.kill("SIGKILL"));
    },
  };
}

function createCounted(client: HandClient): Omit<Hands, "close"> {
  const tally = createTally();
  let place = "";
  const call = async (name: string, args: object, isLook = false): Promise<Reply> => {
    const params = { name, arguments: args };
    const message = await limited(client.request("tools/call", params), MAX_CALL_MS);
    const text = textOf(message);
    tally.add({ sent: params, got: text });
    const isError = message.error !== undefined || message.result?.isError === true;
    const before = place;
    place = PAGE_URL.exec(text)?.[1] ?? place;
    // A new address means that nothing of what was seen can be pointed at any more.
    const about = isLook || place !== before ? "page" : "nothing";
    return { about, text: isLook || isError ? text : "", isError };
  };
  const callAll = async (acts: readonly Act[]): Promise<Reply> => {
    let reply: Reply = { about: "nothing", text: "", isError: false };
    for (const { name, args } of acts.map(toCall)) {
      reply = await call(name, args);
      if (reply.isError) return reply;
    }
    return reply;
  };
  return {
    open: (url) => call("browser_navigate", { url }),
    look: () => call("browser_snapshot", {}, true),
    act: callAll,
    async attach({ ref, name, paths }) {
      const clicked = await call("browser_click", { element: name, target: ref });
      return clicked.isError ? clicked : call("browser_file_upload", { paths });
    },
    waitFor: (text) => call("browser_wait_for", { text }),
    spent: tally.spent,
    resetSpent: tally.reset,
  };
}

function toCall(act: Act): { name: string; args: object } {
  switch (act.kind) {
    case "click":
      return { name: "browser_click", args: { element: act.name, target: act.ref } };
    case "type": {
      const { ref, name, text, submit } = act;
      return { name: "browser_type", args: { element: name, target: ref, text, submit } };
    }
    case "fill":
      return { name: "browser_fill_form", args: { fields: act.fields.map(toField) } };
    case "press":
      return { name: "browser_press_key", args: { key: act.key } };
    case "drag": {
      const { ref, name, endRef, endName } = act;
      const ends = { startElement: name, startTarget: ref, endElement: endName, endTarget: endRef };
      return { name: "browser_drag", args: ends };
    }
    default:
      return act satisfies never;
  }
}

function toField({ ref, role, name, value }: FilledField): object {
  return { name, target: ref, type: FIELD_TYPES[role] ?? "textbox", value: String(value) };
}

/** From the root of the project, because a bundle of this file lies elsewhere. */
function findProgram(): string {
  const require = createRequire(join(process.cwd(), "package.json"));
  return join(dirname(require.resolve("@playwright/mcp/package.json")), "cli.js");
}

function limited<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`@playwright/mcp did not answer within ${limitMs} ms.`)),
      limitMs,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
