// How the end of one step is told: a line with its verdict and time, and below it what went wrong.

export function formatOutcome({ name, code, durationMs, output }) {
  const verdict = code === 0 ? "ok" : "FAILED";
  const line = `${name.padEnd(8)} ${verdict.padEnd(6)} ${(durationMs / 1_000).toFixed(1)} s`;
  return code === 0 ? line : `${line}\n${output.trimEnd()}`;
}
