// A gateway that is made to be killed: runs a method with one idempotency key after the other, changes
// its config in between, and says what it has begun and done.

import { appendFileSync, writeSync } from "node:fs";
import { t } from "../../src/core/index.js";
import { createGateway, defineMethod } from "../../src/gateway/index.js";

const STANDARD_OUTPUT = 1;

/** Leaves one line in a file; what a repeat must not do again. */
export const effectMethod = (effects: string) =>
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

export async function runLoop(place: KillPlace, first: number): Promise<void> {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const gateway = await openKilled(place);
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

const [root, stateDir, effects, configFile, first] = process.argv.slice(2);
if (
  root &&
  stateDir &&
  effects &&
  configFile &&
  first !== undefined &&
  process.argv[1]?.endsWith("kill.mjs")
) {
  await runLoop({ root, stateDir, effects, configFile }, Number(first));
}
