// A process with a store that meets what its role says, and tells what became of its calls.

import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isToolError, type Store } from "../../src/core/index.js";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";

const STANDARD_OUTPUT = 1;

const say = (line: string) => writeSync(STANDARD_OUTPUT, `${line}\n`);

async function tell(call: Promise<unknown>, show: (error: Error) => string): Promise<void> {
  try {
    await call;
    say("done");
  } catch (error) {
    say(isToolError(error) ? show(error) : `not typed: ${String(error)}`);
  }
}

const reasonOf = (error: Error) =>
  isToolError(error) ? `${error.code}/${error.reason}` : error.message;
const append = (store: Store) =>
  store.log.append({ stream: "s", records: [1], durability: "disk" });

async function tellCount(store: Store): Promise<void> {
  const { records } = await store.log.read({ stream: "s" });
  say(`read ${records.length}`);
}

function open(folder: string): Store {
  return createSqliteStore({
    folder,
    clock: createSystemClock(),
    random: createSystemRandom(),
  });
}

async function becomeReadOnly(store: Store, folder: string): Promise<void> {
  const remount = (mode: string) => execFileSync("mount", ["-o", `remount,${mode}`, folder]);
  await tell(append(store), reasonOf);
  // While a file is open for writing the system does not let go of the disk.
  await store.close();
  const next = open(folder);
  remount("ro");
  await tell(append(next), reasonOf);
  remount("rw");
  await tell(append(next), reasonOf);
  await tellCount(next);
  await next.close();
}

/** Takes every handle there is, and gives them back. */
async function runOut(store: Store, folder: string): Promise<void> {
  await import("@photostructure/sqlite");
  const handles: number[] = [];
  try {
    for (;;) handles.push(openSync(join(folder), "r"));
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, "code") === "EMFILE")) throw error;
  }
  const error = await append(store).catch((thrown: unknown) => thrown);
  for (const handle of handles) closeSync(handle);
  say(error instanceof Error ? reasonOf(error) : "done");
  await tell(append(store), reasonOf);
  await tellCount(store);
  await store.close();
}

export async function meet([role = "", folder = ""]: readonly string[]): Promise<void> {
  const store = open(folder);
  if (role === "read-only") await becomeReadOnly(store, folder);
  else if (role === "no-handles") await runOut(store, folder);
  else await tell(append(store), (error) => `${reasonOf(error)}: ${error.message}`);
}
