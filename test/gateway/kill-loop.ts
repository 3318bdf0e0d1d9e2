// A gateway that is made to be killed: runs a method with one idempotency key after the other, changes
// its config in between, and says what it has begun and done.

import { appendFileSync, writeSync } from "node:fs";
import { t } from "../../src/core/index.js";
import { createGateway, defineMethod, type Gateway } from "../../src/gateway/index.js";

const STANDARD_OUTPUT = 1;

/** Leaves one line in a file; what a repeat must not do again. */
const effectMethod = (effects: string) =>
  defineMethod({
    name: "test.effect",
    params: t.object({ step: t.integer(), idempotencyKey: t.string() }),
    scope: "operator.write",
    idempotent: true,
    help: "For tests.",
    async run(_, { step }) {
      appendFileSync(effects, `${step}\n`);
      await new Promise(setImmediate);
      return { step, square: step * step };
    },
  });

export interface KillPlace {
  readonly root: string;
  readonly stateDir: string;
  readonly effects: string;
  readonly configFile: string;
}

export function openKilled({ root, stateDir, effects, configFile }: KillPlace) {
  const configPlace = { path: configFile, env: {}, homeDir: root, cwd: root };
  const methods = [effectMethod(effects)];
  return createGateway({ root, stateDir, configPlace, port: 0, methods });
}

/** Calls a step again with its key: the first answer, or the reason why there is none. */
export function repeat(gateway: Gateway, step: number): Promise<unknown> {
  const call = gateway.call("test.effect", { step, idempotencyKey: `key-${step}` });
  return call.catch((error: { reason?: string }) => error.reason);
}

/** `again`: steps of the life before, repeated first. */
export async function runLoop(
  place: KillPlace,
  { first, again }: { readonly first: number; readonly again: readonly number[] },
): Promise<void> {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const gateway = await openKilled(place);
  for (const step of again) say(`again ${step} ${JSON.stringify(await repeat(gateway, step))}`);
  for (let step = first; ; step++) {
    say(`begin ${step}`);
    await gateway.call("test.effect", { step, idempotencyKey: `key-${step}` });
    say(`done ${step}`);
    const { hash } = (await gateway.call("config.get")) as { hash: string };
    const raw = JSON.stringify({ approvals: { timeoutMs: step + 1 } });
    await gateway.call("config.patch", { raw, baseHash: hash });
    say(`config ${step + 1}`);
  }
}
