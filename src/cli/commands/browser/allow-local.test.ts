// Who was refused a page of this machine is told of the flag, where it would help.

import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.js";
import { hintLocal } from "./allow-local.js";

const refusalOf = (host: string) => ({
  reason: "address_refused",
  error: `"${host}" is loopback, so it is not reached; it takes localhost or the address itself.`,
});

function hear(
  host: string,
  options: { readonly isFromDaemon?: boolean; readonly flags?: string[] },
) {
  const said: string[] = [];
  const nothing = () => undefined;
  const output = {
    isTerminal: false,
    style: createStyle({ isTerminal: false, env: {}, args: [] }),
    print: nothing,
    write: nothing,
    progress: nothing,
    warn: (line: string) => void said.push(line),
  };
  const { isFromDaemon, flags = [] } = options;
  const call = { output, switches: new Set(flags), ownCommand: "clawtools" };
  hintLocal(call, { details: refusalOf(host), isFromDaemon });
  return said;
}

describe("hintLocal", () => {
  it.each(["localhost", "127.0.0.1", "::1"])("tells of the flag for %s", (host) => {
    expect(hear(host, {})).toEqual(["To open a page of this machine, add --allow-local."]);
  });

  it("says nothing of it for other hosts, or when it was given", () => {
    expect(hear("127.0.0.2", {})).toEqual([]);
    expect(hear("127.0.0.1", { flags: ["allow-local"] })).toEqual([]);
  });

  it("says that a browser that is kept open has to be opened with it, also when it comes too late", () => {
    const [told] = hear("127.0.0.1", { isFromDaemon: true });
    expect(told).toMatch(/`clawtools browser stop`, then open it with --allow-local/);
    expect(hear("127.0.0.1", { isFromDaemon: true, flags: ["allow-local"] })).toEqual([told]);
  });
});
