// The number that `browser.port` opens on a managed browser: the first of the pool that does not belong
// to another profile.

import { createServer } from "node:net";
import { ToolError } from "../../../core/index.js";
import type { Profile } from "../profiles/list-profiles.js";
import { FIRST_CDP_PORT, LAST_CDP_PORT } from "../settings.js";

/** Of a profile that has none. Throws `limit` / `browser_ports_full`. */
export function reservePort(name: string, profiles: readonly Profile[]): number {
  const taken = portsOfOthers(name, profiles);
  for (let port = FIRST_CDP_PORT; port <= LAST_CDP_PORT; port++) {
    if (!taken.has(port)) return port;
  }
  throw new ToolError(
    "limit",
    `Every port from ${FIRST_CDP_PORT} to ${LAST_CDP_PORT} belongs to a browser profile; delete a profile before you create "${name}".`,
    { reason: "browser_ports_full" },
  );
}

/** Chromium starts without a port that another program has, and does not say so. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

function portsOfOthers(name: string, profiles: readonly Profile[]): ReadonlySet<number> {
  return new Set(
    profiles.filter((other) => other.name !== name).flatMap(({ cdpPort }) => cdpPort ?? []),
  );
}
