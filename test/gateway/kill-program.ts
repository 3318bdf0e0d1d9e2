// The process that the kill campaign ends: a gateway at work on the place that its arguments name.

import { runLoop } from "./kill-loop.js";

const [root = "", stateDir = "", effects = "", configFile = "", first = "0", again = ""] =
  process.argv.slice(2);
const steps = again === "" ? [] : again.split(",").map(Number);
await runLoop({ root, stateDir, effects, configFile }, { first: Number(first), again: steps });
