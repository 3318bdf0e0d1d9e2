// Names by the system's own resolver, so that the hosts file counts too.

import { lookup } from "node:dns/promises";

export async function resolveBySystem(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
}
