// Runs checking steps side by side and shows each when it begins and when it ends.
import { formatOutcome } from "./outcome.mjs";
import { createProgress } from "./progress.mjs";
import { runStep } from "./run-step.mjs";

/** Answers with the outcomes that failed; after a failure no further step is begun. */
export async function runAll(steps, { width, stream }) {
  const waiting = [...steps];
  const failed = [];
  const progress = createProgress(stream);
  const worker = async () => {
    while (waiting.length > 0 && failed.length === 0) {
      const step = waiting.shift();
      progress.begin(step.name);
      const outcome = await runStep(step);
      progress.end(step.name);
      progress.print(formatOutcome(outcome));
      if (outcome.code !== 0) failed.push(outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: width }, worker));
  } finally {
    progress.close();
  }
  return failed;
}
