// 3h: what it costs to remember a change so that it can be undone: a file replaced through the bridge,
// beside the same with its old content kept and a record in the store.

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importSources } from "./measure/bundle-source.mjs";
import { timeByTurns, toRowWithBest } from "./measure/by-turns.mjs";

const KIBIBYTE = 1024;
const WRITES = [
  { size: KIBIBYTE, name: "1 KB", maxRatio: 1.5, rounds: 40, callsPerRound: 10 },
  { size: KIBIBYTE ** 2, name: "1 MB", maxRatio: 2, rounds: 30, callsPerRound: 3 },
];

export const ids = ["3h"];

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "bench-undo-"));
  // In one bundle, as they are published: they know each other.
  const [{ createNodeBridge }, { createSqliteStore }, { createHistory }] = await importSources([
    "src/drivers/fs/index.ts",
    "src/drivers/store/index.ts",
    "src/drivers/history/index.ts",
  ]);
  const clock = { now: () => Date.now(), after: () => () => undefined };
  const random = { hex: (byteCount) => randomBytes(byteCount).toString("hex") };
  const store = createSqliteStore({ folder: join(folder, "state"), clock, random });
  const root = join(folder, "project");
  mkdirSync(root);
  const history = createHistory({
    folder: join(folder, "state", "undo", "objects"),
    ...{ store, clock, random, root },
    report: ({ message, cause }) => console.error(message, cause),
  });
  try {
    const bridge = createNodeBridge(root);
    const made = [];
    for (const write of WRITES) made.push(await measure({ bridge, history, root, write }));
    return made;
  } finally {
    await history.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ bridge, history, root, write }) {
  const { size, name, maxRatio, ...turns } = write;
  let count = 0;
  // Other bytes each time: equal content would be kept once.
  const next = () => {
    const data = Buffer.alloc(size, "x");
    data.write(String(count++));
    return data;
  };
  for (const file of ["raw", "ours"]) writeFileSync(join(root, file), next());
  // In a turn at the file, as every tool has one.
  const replace = (through, filePath) => {
    const data = next();
    return through.exclusive([{ filePath }], (held) => held.writeFile({ filePath, data }));
  };
  const works = [
    () => replace(bridge, "raw"),
    () => {
      const call = { toolCallId: `call_${count}`, toolName: "write" };
      return replace(history.record(call, bridge).bridge, "ours");
    },
  ];
  const [raw, ours] = await timeByTurns(works, turns);
  const work = `replace ${name}, to be undone (raw = bridge alone)`;
  return toRowWithBest({ id: "3h", work, raw, ours, maxRatio });
}
