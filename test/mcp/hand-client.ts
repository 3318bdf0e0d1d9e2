// An MCP client by hand: JSON-RPC over two streams, and nothing of any library.

import type { Readable, Writable } from "node:stream";

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface HandClientOptions {
  /** What the server writes. */
  readonly from: Readable;
  /** What the server reads. */
  readonly to: Writable;
  /** Answers requests of the server; without it they stay open. */
  readonly answer?: (request: Message) => object | undefined;
}

export interface HandClient {
  /** Every message of the server, in its order. */
  readonly messages: Message[];
  initialize(version?: string, capabilities?: object): Promise<Message>;
  /** The whole answer, error or result. */
  request(method: string, params?: object): Promise<Message>;
  /** The id is known before the answer. */
  begin(
    method: string,
    params?: object,
  ): { readonly id: number; readonly answer: Promise<Message> };
  notify(method: string, params?: object): void;
  /** As it is, with a line end. */
  write(text: string): void;
  /** The first message, past or future, that fits. */
  waitFor(fits: (message: Message) => boolean): Promise<Message>;
}

export function createHandClient({ from, to, answer }: HandClientOptions): HandClient {
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  let nextId = 1;

  function take(message: Message): void {
    messages.push(message);
    for (const look of [...waiting]) look();
    if (message.method === undefined || message.id === undefined) return;
    const result = answer?.(message);
    if (result !== undefined) send({ id: message.id, result });
  }

  from.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) for (const one of [JSON.parse(line)].flat()) take(one);
  });
  // A server that is gone is told of by what waits in vain.
  to.on("error", () => undefined);

  const send = (fields: object) => write(JSON.stringify({ jsonrpc: "2.0", ...fields }));
  const write = (text: string) => void to.write(`${text}\n`);

  function waitFor(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  }

  function begin(method: string, params: object = {}) {
    const id = nextId++;
    send({ id, method, params });
    return { id, answer: waitFor((one) => one.id === id && one.method === undefined) };
  }

  const notify = (method: string, params: object = {}) => send({ method, params });
  const request = (method: string, params?: object) => begin(method, params).answer;

  return {
    messages,
    begin,
    request,
    notify,
    write,
    waitFor,
    async initialize(protocolVersion = "2024-11-05", capabilities = {}) {
      const clientInfo = { name: "by-hand", version: "1.0.0" };
      const hello = await request("initialize", { protocolVersion, capabilities, clientInfo });
      notify("notifications/initialized");
      return hello;
    },
  };
}

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint: boolean };
}

/** Of the answer to tools/list. */
export function toolsOf(result: Message["result"]): ListedTool[] {
  return Array.isArray(result?.tools) ? result.tools : [];
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly uri?: string;
}

/** Of the answer to tools/call. */
export function blocksOf(result: Message["result"]): Block[] {
  return Array.isArray(result?.content) ? result.content : [];
}

/** All text of the answer to a call. */
export function textOf({ result }: Message): string {
  return blocksOf(result)
    .map(({ text }) => text ?? "")
    .join("\n");
}
