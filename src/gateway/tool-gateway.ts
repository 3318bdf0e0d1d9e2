// The gateway as the tools of its own agents see it: a call in this process, or over the network when
// the tool names another gateway.

import type { ClawtoolsConfig } from "../config/index.js";
import { ToolError } from "../core/index.js";
import type { GatewayCall, Gateway as ToolGateway } from "../core/server.js";
import type { Principal } from "../protocol/index.js";
import type { Gateway } from "./gateway.js";

/** Its methods do all that an operator may; which of them a tool calls is decided by the tool. */
export const INTERNAL: Principal = {
  role: "operator",
  scopes: ["operator.admin"],
  connId: "internal",
};

export function createToolGateway(parts: {
  readonly call: Gateway["call"];
  readonly config: () => ClawtoolsConfig;
  readonly stateDir: string;
}): (agentId: string) => ToolGateway {
  const { call, config, stateDir } = parts;
  const configHashes = new Map<string, string>();

  async function callElsewhere(request: GatewayCall): Promise<unknown> {
    const { createGatewayClient } = await import("../drivers/gateway-client.js");
    const { createNet } = await import("../drivers/net/index.js");
    const { ssrfPolicy, proxy, noProxy } = config().tools?.net ?? {};
    const net = createNet({ policy: ssrfPolicy, proxy: { url: proxy, noProxy } });
    const findUrl = () => undefined;
    try {
      return await createGatewayClient({ net, config: config(), stateDir, findUrl }).call(request);
    } finally {
      await net.close();
    }
  }

  async function callHere(request: GatewayCall, agentId: string): Promise<unknown> {
    const { method, params, signal, timeoutMs } = request;
    const principal = { ...INTERNAL, agentId };
    if (timeoutMs === undefined) return await call(method, params, { principal, signal });
    const limit = AbortSignal.timeout(timeoutMs);
    const late = new Promise<never>((_, reject) => {
      const message = `The gateway did not answer ${method} within ${timeoutMs} ms. Check its state before you retry.`;
      const error = new ToolError("timeout", message, { reason: "gateway_timeout" });
      limit.addEventListener("abort", () => reject(error));
    });
    const either = AbortSignal.any([signal, limit]);
    return await Promise.race([call(method, params, { principal, signal: either }), late]);
  }

  return (agentId) => ({
    configHashes,
    call: (request) =>
      request.url === undefined ? callHere(request, agentId) : callElsewhere(request),
    close: () => Promise.resolve(),
  });
}
