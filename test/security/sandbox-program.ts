// Program for the sandbox tests: runs commands in a containment as whoever starts it and prints, as
// JSON, what each said. Its argument is a RunOrder in JSON.

import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createProcesses, defaultSettings } from "../../src/drivers/process/index.js";
import { createGroupContainment } from "../../src/drivers/sandbox/find-containments.js";
import { findContainments } from "../../src/drivers/sandbox/index.js";

export interface RunOrder {
  readonly root: string;
  readonly home: string;
  readonly containment: "sandbox" | "host" | "group";
  readonly env?: Readonly<Record<string, string>>;
  readonly allowsNetwork?: boolean;
  /** A terminal, or pipes with an open input; otherwise the input is closed. */
  readonly input?: "open" | "terminal";
  /** Descriptors of the folder `/` that the program is started with. */
  readonly inherited?: readonly number[];
  readonly commands: readonly string[];
}

export interface RunAnswer {
  readonly kind: string;
  readonly limits: readonly string[];
  readonly outputs: readonly string[];
  readonly exitCodes: readonly (number | undefined)[];
}

const MAX_CHARS = 100_000;
// The test that starts this program wrote it.
const order = JSON.parse(process.argv[2] ?? "{}") as RunOrder;

const found = await findContainments({
  root: order.root,
  sandbox: order.containment === "sandbox" ? "bwrap" : "none",
});
const processes = createProcesses({
  settings: {
    ...defaultSettings(order.root),
    host: order.containment === "sandbox" ? "sandbox" : "gateway",
    allowsNetwork: order.allowsNetwork ?? false,
  },
  planner: { plan: async () => ({ ok: false, refusal: { reason: "none", message: "none" } }) },
  gate: {
    authorise: async () => ({ by: "full", rule: "test", consume: async () => undefined }),
  },
  containments: async () =>
    order.containment === "group" ? { host: createGroupContainment("asked for") } : found,
  searchPath: ["/usr/sbin", "/usr/bin", "/sbin", "/bin"],
  home: order.home,
  ownEnvironment: { ...process.env, ...order.env },
  logFolder: undefined,
  store: async () => undefined,
  owner: { own: "test", isDead: () => false },
  clock: createSystemClock(),
  random: createSystemRandom(),
  notify: () => undefined,
  report: (problem) => console.error(problem),
});

const outputs: string[] = [];
const exitCodes: (number | undefined)[] = [];
for (const command of order.commands) {
  const run = await processes.start({
    command,
    ...(order.input === "open" ? { input: order.input } : {}),
    ...(order.input === "terminal" ? { terminal: { columns: 80, rows: 24 } } : {}),
    agentId: undefined,
    sessionKey: undefined,
    toolCallId: "call",
    signal: new AbortController().signal,
  });
  await run.endInput();
  exitCodes.push((await run.ended).exitCode);
  outputs.push(run.output.view(MAX_CHARS).text);
}
const { containment, limits } = await processes.facts();
await processes.close();
const answer: RunAnswer = { kind: containment, limits, outputs, exitCodes };
console.log(JSON.stringify(answer));
