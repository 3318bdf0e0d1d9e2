// Requests of the server to its client: sent with an id of ours, waited for, taken back.

import { abortError } from "../../../core/index.js";
import {
  keyOfId,
  type OutgoingMessage,
  type RpcAnswer,
  RpcError,
  toNotification,
  toRequest,
} from "../protocol/json-rpc.js";

/** A client that is asked more than this at once does not answer. */
const MAX_OPEN = 64;

export interface Outlet {
  send(message: OutgoingMessage): void;
}

export interface ClientRequest {
  readonly method: string;
  readonly params: object;
  readonly outlet: Outlet;
  readonly signal: AbortSignal;
}

export interface Outgoing {
  /** What the client answers. Throws its error, or the abort; then the client is informed. */
  ask(request: ClientRequest): Promise<unknown>;
  /** An answer to a request that no one waits for any more is passed over. */
  settle(answer: RpcAnswer): void;
  close(): void;
}

interface OpenQuestion {
  take(answer: RpcAnswer): void;
  takeBack(): void;
}

export function createOutgoing(): Outgoing {
  const open = new Map<string, OpenQuestion>();
  let count = 0;
  return {
    async ask({ method, params, outlet, signal }) {
      if (signal.aborted) throw abortError(signal);
      if (open.size >= MAX_OPEN) throw new RpcError(0, "The client has too many open questions.");
      count++;
      const id = `clawtools-${count}`;
      const key = keyOfId(id);
      const takeBack = () => open.get(key)?.takeBack();
      signal.addEventListener("abort", takeBack);
      try {
        return await new Promise<unknown>((resolve, reject) => {
          open.set(key, {
            take({ result, error }) {
              if (error === undefined) resolve(result);
              else reject(new RpcError(error.code, error.message));
            },
            takeBack() {
              const reason = "The question was answered elsewhere, or its call has ended.";
              outlet.send(toNotification("notifications/cancelled", { requestId: id, reason }));
              reject(abortError(signal));
            },
          });
          outlet.send(toRequest(id, method, params));
        });
      } finally {
        open.delete(key);
        signal.removeEventListener("abort", takeBack);
      }
    },
    settle(answer) {
      open.get(keyOfId(answer.id))?.take(answer);
    },
    close() {
      for (const question of [...open.values()]) question.takeBack();
    },
  };
}
