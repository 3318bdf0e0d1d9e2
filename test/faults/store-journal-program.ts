// A process with a journal in the store: begins calls and ends some of them, or looks for those of
// processes that died.

import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createStoreJournal } from "../../src/drivers/journal/index.js";
import { createProcessMarks, createSqliteStore } from "../../src/drivers/store/index.js";

const STANDARD_OUTPUT = 1;

export async function keepJournal([
  role = "",
  folder = "",
  name = "",
  count = "0",
]: readonly string[]) {
  const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);
  const lines = createInterface({ input: process.stdin });
  const ports = { clock: createSystemClock(), random: createSystemRandom() };
  const store = createSqliteStore({ folder, ...ports });
  const report = ({ message }: { message: string }) => say(`problem ${message}`);
  const journal = createStoreJournal({ store, ...ports, owner: createProcessMarks(), report });
  say("ready");
  await once(lines, "line");
  if (role === "recover") {
    for (const row of await journal.recoverInterrupted())
      say(`${row.toolCallId} ${row.end.outcome}`);
  }
  for (let index = 0; role === "call" && index < Number(count); index++) {
    const toolCallId = `${name}-${index}`;
    const finish = await journal.intend({
      ...{ toolCallId, toolName: "write", sessionKey: undefined, argumentsText: "{}" },
      atMs: ports.clock.now(),
    });
    say(`begun ${toolCallId}`);
    // Every third call has no end when the process is killed.
    if (index % 3 === 0) continue;
    await finish({ outcome: "ok", atMs: ports.clock.now() });
    say(`ended ${toolCallId}`);
  }
  say("all");
  await once(lines, "line");
  await journal.close();
  await store.close();
  lines.close();
}
