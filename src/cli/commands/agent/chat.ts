// `clawtools chat`: a conversation in the terminal. Lines that begin with a slash are commands.

import { createInterface, type Interface } from "node:readline";
import { toPrintable } from "../../../lib/printable.js";
import type { Command, CommandCall } from "../../command.js";
import { toFailure } from "../../failure.js";
import { CONVERSATION_FLAGS } from "../../flags.js";
import { createTerminalApprover } from "../approvals/ask-person.js";
import { createRunPrinter } from "./agent.js";
import type { Conversation } from "./conversation.js";

const COMMANDS = {
  "/new": "Start an empty conversation in this session.",
  "/model": "Show the model, or use another one: /model provider/model.",
  "/status": "Show model, tokens and cost.",
  "/undo": "Undo the latest file changes.",
  "/compact": "Replace older messages by a summary.",
  "/stop": "Stop the run; Ctrl-C does the same.",
  "/help": "List the commands.",
  "/exit": "Leave; the session is kept.",
} as const;

export const command: Command = {
  notes: [
    ...Object.entries(COMMANDS).map(([name, text]) => `${name}: ${text}`),
    "Continues the session of the last time. Lines that you type during a run are sent after it.",
  ],
  flags: CONVERSATION_FLAGS,
  run: async (call) =>
    await call.untilStopped(async (signal) => {
      const lines = createChatLines(call);
      const leave = () => {
        lines.stopRun();
        lines.close();
      };
      signal.addEventListener("abort", leave, { once: true });
      try {
        const { withConversation } = await import("./conversation.js");
        return await withConversation(call, {
          approve: call.isInteractive ? createTerminalApprover(lines.terminal) : undefined,
          work: (conversation) => converse({ call, conversation, lines }),
        });
      } finally {
        signal.removeEventListener("abort", leave);
        lines.close();
      }
    }),
};

interface Chat {
  readonly call: CommandCall;
  readonly conversation: Conversation;
  readonly lines: ReturnType<typeof createChatLines>;
}

async function converse(chat: Chat): Promise<number> {
  const { call } = chat;
  call.output.warn(`Session ${chat.conversation.sessionKey}. /help lists the commands.`);
  for (;;) {
    const line = (await chat.lines.next())?.trim();
    if (line === undefined || line === "/exit") return 0;
    if (line === "") continue;
    try {
      if (line.startsWith("/")) await runCommand(line, chat);
      else await say(line, chat);
    } catch (error) {
      call.output.warn(`error: ${toFailure(error, (text) => text).message}`);
    }
  }
}

async function say(message: string, { call, conversation, lines }: Chat): Promise<void> {
  const printer = createRunPrinter(call);
  const report = await lines.whileRunning((signal) =>
    conversation.send(message, { signal, onStep: printer.step }),
  );
  printer.end(report);
  if (call.isInteractive) call.output.warn("");
}

async function runCommand(line: string, { call, conversation }: Chat): Promise<void> {
  const { output } = call;
  const [name = "", value] = line.split(/\s+/);
  const actions: Record<keyof typeof COMMANDS, () => Promise<void> | void> = {
    "/help": () => {
      for (const [one, text] of Object.entries(COMMANDS)) output.print(`${one.padEnd(10)}${text}`);
    },
    "/new": async () => {
      await conversation.reset();
      output.print("Started an empty conversation.");
    },
    "/model": async () => {
      if (value !== undefined) await conversation.setModel(value);
      output.print(`Model: ${(await conversation.describe())?.model ?? "the configured one"}`);
    },
    "/status": async () => {
      for (const text of await describeStatus(conversation)) output.print(toPrintable(text));
    },
    "/undo": async () => {
      const { undo } = await import("../undo/undo.js");
      const { model: _model, ...texts } = call.texts;
      await undo.run({ ...call, texts, words: [], switches: new Set() });
    },
    "/compact": async () => {
      const isDone = await conversation.compact();
      output.print(isDone ? "Older messages are now a summary." : "There is nothing to summarize.");
    },
    "/stop": () => output.print("Nothing is running."),
    "/exit": () => undefined,
  };
  const action = Object.entries(actions).find(([known]) => known === name)?.[1];
  if (action === undefined) output.warn(`Unknown command ${toPrintable(name)}. Try /help.`);
  else await action();
}

async function describeStatus(conversation: Conversation): Promise<string[]> {
  const facts = await conversation.describe();
  if (facts === undefined) return [`Session ${conversation.sessionKey}: no messages yet.`];
  const { model, inputTokens, outputTokens, usd, contextTokens, contextWindow } = facts;
  return [
    `Session: ${conversation.sessionKey}`,
    `Model:   ${model ?? "the configured one"}`,
    `Tokens:  ${inputTokens} in, ${outputTokens} out`,
    `Context: ${contextTokens}${contextWindow === undefined ? "" : ` of ${contextWindow}`} tokens`,
    `Cost:    $${usd.toFixed(4)}`,
  ];
}

function createChatLines({ input, output, isInteractive, width }: CommandCall) {
  const reader: Interface = createInterface({
    ...{ input, terminal: isInteractive, prompt: "> " },
    ...(isInteractive ? { output: process.stderr } : {}),
  });
  const waiting: string[] = [];
  let isClosed = false;
  let run: AbortController | undefined;
  let wake: (() => void) | undefined;
  let answer: ((line: string | undefined) => void) | undefined;
  const stopRun = () => run?.abort();
  reader.on("line", (line) => {
    if (answer !== undefined) answer(line);
    else if (run !== undefined && line.trim() === "/stop") stopRun();
    else waiting.push(line);
    wake?.();
  });
  reader.on("SIGINT", () => (run === undefined ? reader.close() : stopRun()));
  reader.once("close", () => {
    isClosed = true;
    answer?.(undefined);
    wake?.();
  });
  return {
    /** undefined at the end of the input. */
    async next() {
      if (isInteractive && !isClosed && waiting.length === 0) reader.prompt();
      while (waiting.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return waiting.shift();
    },
    /** Ctrl-C and /stop fire the signal. */
    async whileRunning<T>(work: (signal: AbortSignal) => Promise<T>) {
      run = new AbortController();
      try {
        return await work(run.signal);
      } finally {
        run = undefined;
      }
    },
    stopRun,
    /** For questions during a run. */
    terminal: {
      ...{ width, style: output.style, close: () => undefined },
      write: (line: string) => output.warn(line),
      readLine: (signal: AbortSignal) =>
        new Promise<string | undefined>((resolve, reject) => {
          const end = () => {
            answer = undefined;
            signal.removeEventListener("abort", onAbort);
          };
          const onAbort = () => {
            end();
            reject(signal.reason);
          };
          answer = (line) => {
            end();
            resolve(line);
          };
          signal.addEventListener("abort", onAbort);
        }),
    },
    close: () => reader.close(),
  };
}
