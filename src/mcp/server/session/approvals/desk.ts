// Where the questions of a toolkit meet the clients of a server: a question goes to anyone who made the
// call that it is about.

import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  abortError,
} from "../../../../core/index.js";

/** Give it to `createToolkit({ approve })` and to `serveMcp(toolkit, { approvals })`. */
export interface McpApprovals {
  readonly approve: Approver;
}

export interface ApprovalDesk extends McpApprovals {
  /** Questions about this call are asked so, until the returned function is called. */
  attach(callId: string, ask: Approver): () => void;
}

const NO_CLIENT = "the call came from no client of this server, and no one else can be asked";

export function createMcpApprovals(): McpApprovals {
  return createDesk();
}

export function isDesk(value: McpApprovals): value is ApprovalDesk {
  return typeof Reflect.get(value, "attach") === "function";
}

function createDesk(): ApprovalDesk {
  const askers = new Map<string, Approver>();
  return {
    async approve(request, options) {
      const ask = askers.get(request.toolCallId) ?? askNobody;
      return ask(request, options);
    },
    attach(callId, ask) {
      askers.set(callId, ask);
      return () => askers.delete(callId);
    },
  };
}

/** A command waits in the queue, where `clawtools approvals` answers it; nothing else has one. */
export async function askNobody(
  request: ApprovalRequest,
  { signal }: { readonly signal: AbortSignal },
): Promise<ApprovalAnswer> {
  if (request.command === undefined) return { decision: "deny", reason: NO_CLIENT };
  return new Promise((_, reject) => {
    const stop = () => reject(abortError(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
