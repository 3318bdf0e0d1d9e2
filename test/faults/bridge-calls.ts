// A program that makes the calls it is given through a folder bridge, one after the other, and prints
// what came of each: for tests that run it where the system refuses things.

import { closeSync, openSync, readdirSync } from "node:fs";
import { createNodeBridge } from "../../src/drivers/fs/index.js";

export interface BridgeCall {
  readonly method: "writeFile" | "readFile" | "remove" | "rename" | "mkdirp" | "list" | "openFile";
  readonly filePath: string;
  readonly to?: string;
  /** So many bytes are written. */
  readonly size?: number;
  /** So many descriptors are left to the process during the call. */
  readonly descriptors?: number;
}

export interface CallOutcome {
  /** "done", or the reason of the error. */
  readonly outcome: string;
  /** Of a read: what begins the file. */
  readonly text?: string;
  /** How many more descriptors are open than before. */
  readonly leaked: number;
}

const TEXT_BYTES = 20;

async function make(call: BridgeCall): Promise<Omit<CallOutcome, "leaked">> {
  const { filePath } = call;
  try {
    if (call.method === "readFile") {
      const bytes = await bridge.readFile({ filePath });
      return { outcome: "done", text: bytes.toString("utf8", 0, TEXT_BYTES) };
    }
    if (call.method === "openFile") await (await bridge.openFile({ filePath })).close();
    else await change(call);
    return { outcome: "done" };
  } catch (error) {
    const reason: unknown = error instanceof Error ? Reflect.get(error, "reason") : undefined;
    return { outcome: String(reason ?? error) };
  }
}

async function change({ method, filePath, to = "", size = 0 }: BridgeCall): Promise<void> {
  if (method === "writeFile") await bridge.writeFile({ filePath, data: Buffer.alloc(size, "n") });
  if (method === "remove") await bridge.remove({ filePath });
  if (method === "rename") await bridge.rename({ filePath, to });
  if (method === "mkdirp") await bridge.mkdirp({ filePath });
  if (method === "list") await bridge.list({ filePath, limit: 100 });
}

/** Takes all descriptors but so many; what it gives back frees them. */
function exhaust(left: number): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    for (const descriptor of taken.splice(0, left)) closeSync(descriptor);
  }
  return () => {
    for (const descriptor of taken) closeSync(descriptor);
  };
}

const [root = "", text = "[]"] = process.argv.slice(2);
// The test that starts this program wrote the text.
const calls = JSON.parse(text) as readonly BridgeCall[];
const bridge = createNodeBridge(root);
await bridge.stat({ filePath: "." });
const outcomes: CallOutcome[] = [];
for (const call of calls) {
  const before = readdirSync("/proc/self/fd").length;
  const free = call.descriptors === undefined ? () => undefined : exhaust(call.descriptors);
  const made = await make(call).finally(free);
  outcomes.push({ ...made, leaked: readdirSync("/proc/self/fd").length - before });
}
process.stdout.write(JSON.stringify(outcomes));
