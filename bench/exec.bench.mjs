// 4a: one command through the toolkit, beside a plain spawn. 4b: a lot of output, beside a plain drain
// to a file. 4c: many starts in the background, and one look at a run.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolkit } from "../dist/index.js";
import { importSource } from "./measure/bundle-source.mjs";
import { summarize } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";
import {
  drainToFile,
  encloseRaw,
  spawnEnclosed,
  spawnIn,
  spawnRaw,
  watchMemory,
} from "./measure/spawn-raw.mjs";

const WARM_UP_ROUNDS = sized(4, 0);
const ROUNDS = sized(60);
/** Between two commands of a model lies at least so much. */
const PAUSE_MS = 100;
const OUTPUT_ROUNDS = sized(5);
const OUTPUT_BYTES = sized(100_000_000, 1_000_000);
const STARTS = sized(200, 2);
const START_ROUNDS = sized(6, 2); // The first is not counted.
const POLLS = sized(2_000, 10);
const FLOOD = `yes ${"0123456789".repeat(9)}012345678 | head -c ${OUTPUT_BYTES}`;

export const ids = ["4a", "4b", "4c"];

export async function rows({ isWanted }) {
  const folder = mkdtempSync(join(tmpdir(), "bench-exec-"));
  const { findContainments } = await importSource("src/drivers/sandbox/index.ts");
  // The state lies in the workspace here, so the plain spawns hide it too.
  const hidden = [join(folder, "state-bwrap")];
  const found = await findContainments({ root: folder, sandbox: "auto", hidden });
  try {
    const bench = { folder, found };
    return [
      ...(isWanted("4a") ? await measureCalls(bench) : []),
      ...(isWanted("4b") ? await measureOutput(bench) : []),
      ...(isWanted("4c") ? await measureStarts(bench) : []),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls differ from each other: the same one over and over would be a loop. */
function createDoor(folder, exec) {
  const toolkit = createToolkit({
    root: folder,
    stateDir: join(folder, `state-${exec.sandbox}`),
    config: {
      tools: { exec: { security: "full", ask: "off", ...exec }, loopDetection: { enabled: false } },
    },
  });
  let calls = 0;
  return {
    async call(name, args) {
      const result = await toolkit.invoke({ id: `call_${calls++}`, name, arguments: args });
      if (result.isError) throw new Error(result.content[0].text);
      return result.details;
    },
    close: () => toolkit.close(),
  };
}

async function measureCalls({ folder, found }) {
  const host = createDoor(folder, { sandbox: "none" });
  const inside = found.sandbox && createDoor(folder, { sandbox: "bwrap" });
  let count = 0;
  const works = {
    bash: () => spawnRaw("/usr/bin/bash", ["-c", "true"], folder),
    namespace: () => spawnIn(found.host, folder),
    program: () => spawnIn(found.host, folder, "/usr/bin/true 0"),
    host: () => host.call("exec", { command: `true ${count++}` }),
    ...(inside && {
      bwrap: () => spawnIn(found.sandbox, folder),
      sandbox: () => inside.call("exec", { command: `true ${count++}` }),
    }),
  };
  const times = await timeByTurns(works, PAUSE_MS);
  const { host: tightHost, sandbox: tightSandbox } = await timeByTurns(
    { host: works.host, ...(inside && { sandbox: works.sandbox }) },
    0,
  );
  await host.close();
  await inside?.close();
  return [
    toRow({
      id: "4a",
      work: "exec true on the host (raw = bash -c true, not contained)",
      raw: times.bash,
      ours: times.host,
      maxRatio: 1.1,
    }),
    toRow({
      id: "4a",
      work: `exec true on the host (raw = bash -c true in ${found.host.kind})`,
      raw: times.namespace,
      ours: times.host,
      maxRatio: 1.1,
    }),
    toRow({
      id: "4a",
      work: `exec true on the host, without a pause (raw = the program true in ${found.host.kind}: for information)`,
      raw: times.program,
      ours: tightHost,
    }),
    ...(inside
      ? [
          toRow({
            id: "4a",
            work: "exec true in the sandbox (raw = bwrap bash -c true)",
            raw: times.bwrap,
            ours: times.sandbox,
            maxRatio: 1.1,
          }),
          toRow({
            id: "4a",
            work: "exec true in the sandbox, without a pause (raw = bwrap bash -c true: for information)",
            raw: times.bwrap,
            ours: tightSandbox,
          }),
        ]
      : []),
  ];
}

async function measureOutput({ folder }) {
  const door = createDoor(folder, { sandbox: "none" });
  await door.call("exec", { command: "true" });
  const samples = { raw: [], ours: [] };
  const rises = { raw: [], ours: [] };
  for (let round = 0; round < OUTPUT_ROUNDS; round++) {
    const ours = await watchMemory(() =>
      door.call("exec", { command: `${FLOOD} # ${round}`, yieldMs: 120_000 }),
    );
    const raw = await watchMemory(() => drainToFile(FLOOD, join(folder, "raw.log")));
    samples.ours.push(ours.spent);
    samples.raw.push(raw.spent);
    rises.ours.push(ours.rise);
    rises.raw.push(raw.rise);
  }
  await door.close();
  const time = toRow({
    id: "4b",
    work: "exec with 100 MB of output (raw = drain + write)",
    raw: summarize(samples.raw),
    ours: summarize(samples.ours),
    maxRatio: 1.3,
  });
  const [raw, ours] = [rises.raw, rises.ours].map((list) => summarize(list).median);
  const memory = {
    id: "4b",
    work: "rise of memory with 100 MB of output",
    raw: `${raw.toFixed(0)} MB`,
    ours: `${ours.toFixed(0)} MB`,
    ratio: "-",
    target: "<= 20 MB",
    met: ours <= 20,
  };
  return [time, memory];
}

async function measureStarts({ folder, found }) {
  const door = createDoor(folder, { sandbox: found.sandbox ? "bwrap" : "none" });
  const containment = found.sandbox ?? found.host;
  await door.call("exec", { command: "true" });
  const samples = { raw: [], ours: [] };
  for (let round = 0; round < START_ROUNDS; round++) {
    samples.raw.push(await timeRawStarts(containment, folder));
    const { spent, sessions } = await timeStarts(door, round);
    samples.ours.push(spent);
    for (const sessionId of sessions) await door.call("process", { action: "remove", sessionId });
  }
  await door.close();
  const poll = await measurePolls(folder, containment);
  return [
    toRow({
      id: "4c",
      work: `200 starts in the background (raw = ${containment.kind} spawns)`,
      raw: summarize(samples.raw.slice(1)),
      ours: summarize(samples.ours.slice(1)),
      maxRatio: 1.3,
    }),
    {
      id: "4c",
      work: "one look at a running command with 2 KB of news (the port, without the call around it)",
      raw: "-",
      ours: `${(poll.median / 1e3).toFixed(1)} us`,
      ratio: "-",
      target: "<= 10 us",
      met: poll.median <= 10_000,
    },
  ];
}

/** A run is found by its name, and what it has said since the last time is taken. */
async function measurePolls(folder, containment) {
  const { createProcesses, defaultSettings } = await importSource("src/drivers/process/index.ts");
  const processes = createProcesses({
    settings: defaultSettings(folder),
    planner: { plan: async () => ({ ok: false, refusal: { reason: "none", message: "none" } }) },
    gate: { authorise: async () => ({ by: "full", rule: "", consume: async () => undefined }) },
    containments: async () => ({ host: containment, sandbox: containment }),
    searchPath: ["/usr/bin", "/bin"],
    home: undefined,
    ownEnvironment: {},
    logFolder: undefined,
    store: async () => undefined,
    owner: { own: "bench", isDead: () => false },
    clock: { now: () => Date.now(), after: () => () => undefined },
    random: { hex: (byteCount) => randomBytes(byteCount).toString("hex") },
    notify: () => undefined,
    report: () => undefined,
  });
  const command = `while :; do echo ${"x".repeat(2_000)}; sleep 0.01; done`;
  const { signal } = new AbortController();
  const run = await processes.start({ command, toolCallId: "call", signal });
  run.toBackground();
  const samples = [];
  for (let poll = 0; poll < POLLS; poll++) {
    if (poll % 10 === 0) await run.waitForChange({ timeoutMs: 1_000, signal });
    const start = process.hrtime.bigint();
    const found = processes.find(run.sessionId, {});
    found.output.take(50_000);
    samples.push(Number(process.hrtime.bigint() - start));
  }
  await run.kill();
  return summarize(samples);
}

async function timeStarts(door, round) {
  const start = process.hrtime.bigint();
  const runs = await Promise.all(
    Array.from({ length: STARTS }, (_, index) =>
      door.call("exec", { command: `sleep ${1000 + round}.${index}`, background: true }),
    ),
  );
  const spent = Number(process.hrtime.bigint() - start);
  return { spent, sessions: runs.map(({ sessionId }) => sessionId) };
}

/** Until each of them runs, which its first line tells. */
async function timeRawStarts(containment, cwd) {
  const enclosed = encloseRaw(containment, cwd, "echo up; exec sleep 1000");
  const start = process.hrtime.bigint();
  const children = Array.from({ length: STARTS }, () =>
    spawnEnclosed(enclosed, { cwd: "/", detached: true }),
  );
  await Promise.all(
    children.map((child) => new Promise((done) => child.stdout.once("data", done))),
  );
  const spent = Number(process.hrtime.bigint() - start);
  await Promise.all(
    children.map(
      (child) =>
        new Promise((done) => {
          child.once("close", done);
          child.kill("SIGKILL");
        }),
    ),
  );
  return spent;
}

async function timeByTurns(works, pauseMs) {
  const samples = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS + WARM_UP_ROUNDS; round++) {
    for (const [name, work] of Object.entries(works)) {
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      const start = process.hrtime.bigint();
      await work();
      const spent = Number(process.hrtime.bigint() - start);
      if (round >= WARM_UP_ROUNDS) samples[name].push(spent);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, summarize(list)]));
}

/** Without `maxRatio` the row is for information. */
function toRow({ id, work, raw, ours, maxRatio }) {
  const ratio = ours.median / raw.median;
  const best = ours.minimum / raw.minimum;
  const show = (nanoseconds) => `${(nanoseconds / 1e6).toFixed(2)} ms`;
  return {
    id,
    work,
    raw: `${show(raw.median)}, best ${show(raw.minimum)}`,
    ours: `${show(ours.median)}, best ${show(ours.minimum)}`,
    ratio: `${ratio.toFixed(2)}x, best ${best.toFixed(2)}x`,
    target: maxRatio === undefined ? "-" : `<= ${maxRatio}x`,
    met: maxRatio === undefined ? undefined : ratio <= maxRatio,
  };
}
