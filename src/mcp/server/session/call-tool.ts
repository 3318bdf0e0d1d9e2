// One tool call. A call that waits for approval outlives its request; repeating it returns the result.
import type { Approver, CommandQuestion, InvokeResult } from "../../../core/index.js";
import { toPrintable } from "../../../lib/printable.js";
import { readField, readText } from "../../../lib/read-field.js";
import { shellQuote } from "../../../lib/system/shell-words.js";
import { isPlainObject, RPC_CODES, RpcError, readRpcId } from "../json-rpc.js";
import { traitsOf } from "../versions.js";
import { askClient, askNobody } from "./approvals.js";
import { toResource } from "./resources.js";
import type { RequestContext, SessionParts } from "./session-parts.js";
import { type ActiveCall, createProgress, type Progress } from "./waiting-calls.js";

const MAX_COMMAND_CHARS = 200;
/** A repeated call may have been answered just now. */
const MIN_REPEATED_WAIT_MS = 1_000;

interface ReadCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export async function callTool(
  params: Readonly<Record<string, unknown>>,
  context: RequestContext,
): Promise<object> {
  const { parts, exchange } = context;
  const read = readCall(params);
  const progress = openProgress(params, context);
  const known = parts.waiting.take(keyOf(read));
  const call = known ?? startCall(read, context);
  call.exchange = exchange;
  const stop = () => call.controller.abort(exchange.signal.reason);
  const quiet = call.watch(progress);
  if (exchange.signal.aborted) stop();
  exchange.signal.addEventListener("abort", stop);
  try {
    const { approvalWaitMs } = parts.settings;
    const waitMs = known ? Math.max(approvalWaitMs, MIN_REPEATED_WAIT_MS) : approvalWaitMs;
    const outcome = await waitFor(call, waitMs);
    if ("result" in outcome) return showResult(outcome.result, parts);
    parts.waiting.keep(call);
    return tellWaiting(outcome.question, parts.settings.command);
  } finally {
    exchange.signal.removeEventListener("abort", stop);
    quiet();
    progress?.end();
  }
}

function readCall(params: Readonly<Record<string, unknown>>): ReadCall {
  const { name, arguments: given = {} } = params;
  if (typeof name !== "string") {
    throw new RpcError(RPC_CODES.invalidParams, "name must be the name of a tool.");
  }
  if (!isPlainObject(given)) {
    throw new RpcError(RPC_CODES.invalidParams, "arguments must be an object.");
  }
  return { name, arguments: given };
}

/** A client repeats a call with the same text. */
function keyOf({ name, arguments: given }: ReadCall): string {
  return JSON.stringify([name, given]);
}

function openProgress(
  params: Readonly<Record<string, unknown>>,
  { parts, exchange }: RequestContext,
): Progress | undefined {
  const token = readRpcId(readField(params._meta, "progressToken"));
  if (token === undefined) return undefined;
  const { hasProgressText } = traitsOf(parts.state.version);
  return createProgress({ token, outlet: exchange.outlet, hasText: hasProgressText });
}

function startCall(read: ReadCall, { parts, exchange }: RequestContext): ActiveCall {
  const { desk, newCallId, entryPoint } = parts.settings;
  const controller = new AbortController();
  const id = newCallId();
  let progress: Progress | undefined;
  let tellQueued: () => void = () => undefined;
  const queued = new Promise<void>((resolve) => {
    tellQueued = resolve;
  });
  const detach = desk?.attach(id, (request, options) =>
    askAbout(call, { parts, tellQueued })(request, options),
  );
  const done = parts.caller
    .invoke({
      id,
      ...read,
      signal: controller.signal,
      entryPoint,
      onUpdate: (update) => progress?.report(update),
    })
    .finally(() => detach?.());
  // Otherwise it could be an unhandled rejection.
  done.catch(() => undefined);
  const call: ActiveCall = {
    key: keyOf(read),
    controller,
    done,
    queued,
    question: undefined,
    exchange,
    watch(next) {
      progress = next;
      return () => {
        if (progress === next) progress = undefined;
      };
    },
  };
  return call;
}

interface Desk {
  readonly parts: SessionParts;
  readonly tellQueued: () => void;
}

/** Asks the person at the client, else the queue. */
function askAbout(call: ActiveCall, { parts, tellQueued }: Desk): Approver {
  return async (request, { signal }) => {
    const { outlet, canAsk } = call.exchange;
    if (parts.state.canElicit && canAsk) {
      try {
        return await askClient(request, (question) =>
          parts.outgoing.ask({ ...question, outlet, signal }),
        );
      } catch (error) {
        // The client cannot do what it declared, so the queue is used.
        if (!(error instanceof RpcError)) throw error;
      }
    }
    call.question = request.command;
    if (request.command) tellQueued();
    try {
      return await askNobody(request, { signal });
    } finally {
      call.question = undefined;
    }
  };
}

type Outcome = { readonly result: InvokeResult } | { readonly question: CommandQuestion };

/** Ends early only when it waits in the queue too long. */
async function waitFor(call: ActiveCall, approvalWaitMs: number): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const late = new Promise<Outcome>((resolve) => {
    const look = () => {
      if (call.question) resolve({ question: call.question });
    };
    void call.queued.then(() => {
      if (!isOver) timer = setTimeout(look, approvalWaitMs);
    });
  });
  try {
    return await Promise.race([call.done.then((result) => ({ result })), late]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/** `program`: the command line's name. */
function tellWaiting(question: CommandQuestion, program: string): object {
  const { slug, command, why, expiresAtMs, stateDir } = question;
  const flag = stateDir === undefined ? "" : ` --state-dir ${shellQuote(stateDir)}`;
  const until = new Date(expiresAtMs).toISOString();
  const text = [
    `"${toPrintable(command, MAX_COMMAND_CHARS)}" needs an approval: ${toPrintable(why)}`,
    `It waits as request ${slug} until ${until}. Ask the user to run in a terminal:`,
    "",
    `  ${program} approvals approve ${slug}${flag}`,
    "",
    `or \`${program} approvals deny ${slug}${flag}\`. Then make the same call again: it answers with the result. Do not look for a way around it.`,
  ].join("\n");
  return { content: [{ type: "text", text }], isError: true };
}

/** Throws an RpcError for an unknown tool only. */
function showResult(answer: InvokeResult, { artifacts, state }: SessionParts): object {
  const { toolName, content, details, isError } = answer;
  if (isError && readText(details, "reason") === "tool_unknown") {
    throw new RpcError(RPC_CODES.invalidParams, readText(details, "error") ?? "Unknown tool.");
  }
  const seen = artifacts.note(toolName, content);
  const { hasLinks } = traitsOf(state.version);
  const links = hasLinks
    ? seen.map((artifact) => ({ type: "resource_link", ...toResource(artifact) }))
    : [];
  return { content: [...content, ...links], ...(isError ? { isError: true } : {}) };
}
