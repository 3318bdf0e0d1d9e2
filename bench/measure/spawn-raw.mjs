// Plain spawns to measure beside: in a containment or without, until a line, the end, or a file.

import { spawn } from "node:child_process";
import { createWriteStream, rmSync } from "node:fs";

const RSS_SAMPLE_MS = 5;

/** As of our commands: with a language every program loads it first, which takes its time. */
const ENV = { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" };

export function encloseRaw(containment, cwd, script) {
  const argv = ["/usr/bin/bash", "-c", script];
  return containment.enclose({ argv, cwd, env: ENV, isTerminal: false, allowsNetwork: false });
}

export function spawnIn(containment, cwd, script = "true") {
  const enclosed = encloseRaw(containment, cwd, script);
  return spawned(spawnEnclosed(enclosed, { cwd: enclosed.cwd }));
}

/** With what the containment reads from a descriptor before it begins. */
export function spawnEnclosed({ file, args, given }, options) {
  const stdio = ["ignore", "pipe", "pipe", ...(given ? ["ignore", "pipe"] : [])];
  const child = spawn(file, args, { env: ENV, stdio, ...options });
  if (given) child.stdio[given.descriptor].end(given.bytes);
  return child;
}

export function spawnRaw(file, args, cwd) {
  return spawned(spawnEnclosed({ file, args }, { cwd }));
}

function spawned(child) {
  return new Promise((resolve, reject) => {
    child.stdout.resume();
    child.stderr.resume();
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${child.spawnfile}: ${code}`)),
    );
  });
}

/** A command whose output goes through this process into a file. */
export function drainToFile(script, path) {
  return new Promise((resolve, reject) => {
    const child = spawn("/usr/bin/bash", ["-c", script], {
      env: ENV,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const file = createWriteStream(path);
    child.stdout.pipe(file);
    file.once("error", reject);
    file.once("close", () => {
      rmSync(path);
      resolve();
    });
  });
}

/** Nanoseconds, and megabytes of resident memory above the start. */
export async function watchMemory(work) {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, RSS_SAMPLE_MS);
  const start = process.hrtime.bigint();
  await work();
  const spent = Number(process.hrtime.bigint() - start);
  clearInterval(timer);
  return { spent, rise: (Math.max(peak, process.memoryUsage.rss()) - before) / 1e6 };
}
