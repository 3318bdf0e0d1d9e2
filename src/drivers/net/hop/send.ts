// One request to one checked place, up to the head of its answer.

import { lazy } from "../../../lib/lazy.js";
import type { BodySource } from "../body/body-source.js";
import type { Lane } from "../connect/pools.js";
import type { Deadline } from "../deadline.js";
import { toNetError } from "../errors/to-net-error.js";
import { hostOf } from "../policy/host-names.js";
import { type AnswerHead, Exchange } from "./exchange.js";
import type { Hop } from "./redirect.js";

export interface HopAnswer extends AnswerHead {
  /** Not decoded. */
  readonly body: BodySource;
  /** Leaves a body that is not at its end. */
  end(): void;
}

export async function sendHop(request: {
  readonly lane: Lane;
  readonly hop: Hop;
  readonly deadline: Deadline;
  /** The request is about to be written to a connection. */
  readonly onSend: () => void;
}): Promise<HopAnswer> {
  const { lane, hop, deadline, onSend } = request;
  const { url, method, headers, body = null } = hop;
  const exchange = new Exchange(onSend);
  const forget = deadline.onOver((error) => exchange.abort(error));
  const end = lazy(() => {
    forget();
    lane.leave();
    exchange.cancel();
  });
  try {
    const path = `${url.pathname}${url.search}`;
    lane.dispatcher.dispatch({ origin: url.origin, path, method, headers, body }, exchange);
    const { status, headers: answered } = await exchange.head;
    return { status, headers: answered, body: exchange, end };
  } catch (error) {
    end();
    throw toNetError(error, hostOf(url));
  }
}
