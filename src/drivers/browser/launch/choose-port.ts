// The port that `browser.port` opens on a managed browser: the one it had last, else the first of the
// pool that is free and does not belong to another profile.

import { createServer } from "node:net";
import { ToolError } from "../../../core/index.js";
import type { Profile } from "../profiles/list-profiles.js";
import { FIRST_CDP_PORT, LAST_CDP_PORT } from "../settings.js";

const LOOPBACK = "127.0.0.1";

/** undefined: all are taken, and the browser runs without one. */
export async function choosePort(
  profile: Profile,
  profiles: readonly Profile[],
): Promise<number | undefined> {
  const { cdpPort } = profile;
  if (cdpPort !== undefined && (await isFree(cdpPort))) return cdpPort;
  if (profile.hasFixedPort) return undefined;
  const taken = portsOfOthers(profile.name, profiles);
  for (let port = FIRST_CDP_PORT; port <= LAST_CDP_PORT; port++) {
    if (!taken.has(port) && (await isFree(port))) return port;
  }
  return undefined;
}

/** For a new profile. Throws `limit` / `browser_ports_full`. */
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

function portsOfOthers(name: string, profiles: readonly Profile[]): ReadonlySet<number> {
  return new Set(
    profiles.filter((other) => other.name !== name).flatMap(({ cdpPort }) => cdpPort ?? []),
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}
