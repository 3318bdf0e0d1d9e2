// What the filter in front of the browser tells a page: why a host was not reached.

import type { NetFilter } from "../../../core/browser.js";

/** As young as what a page has just asked for. */
const FRESH_MS = 2_000;

/** A connection that was not made. */
export interface NetDenial {
  /** As the page asked for it. */
  readonly host: string;
  readonly port: number;
  /** Of the port: `address_refused`, `host_refused` … */
  readonly reason: string;
  /** One sentence that names the rule and the key that would allow it. */
  readonly message: string;
  readonly atMs: number;
  /** The policy let it out, but no one was reached. */
  readonly isFailure?: true;
}

/** The newest refusal of this host (a name or `name:port`), while it is fresh. */
export function findDenial(
  filter: Pick<NetFilter, "problems">,
  { host, nowMs }: { readonly host: string; readonly nowMs: number },
): NetDenial | undefined {
  const found = filter
    .problems()
    .findLast(
      (problem) =>
        problem.atMs >= nowMs - FRESH_MS && [problem.host, showPlace(problem)].includes(host),
    );
  if (found === undefined) return undefined;
  const { error, port, atMs } = found;
  return {
    ...{ host: found.host, port, atMs },
    reason: error.reason ?? "address_refused",
    message: error.message,
    ...(error.code === "denied" ? {} : { isFailure: true }),
  };
}

/** As it is in an address. */
function showPlace({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
