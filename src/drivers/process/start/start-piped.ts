// Starts a command by pipes and lets its output go into a recorder, as fast as that can take it.

import type { Writable } from "node:stream";
import { lazy } from "../../../lib/lazy.js";
import { type LaunchRequest, launch } from "../launch/launch.js";
import { createRunOutput } from "../output/create-run-output.js";
import type { RunInput, StartedRun } from "./started-run.js";

const MAX_WRITE_WAIT_MS = 1_000;
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024;

export interface StartPipedRequest extends Omit<LaunchRequest, "onChunk"> {
  readonly logPath: string | undefined;
  onOutput(): void;
}

export async function startPiped(request: StartPipedRequest): Promise<StartedRun> {
  // Made when the command runs already: a start that fails has nothing to record.
  const recorder = lazy(() => createRunOutput({ logPath: request.logPath }));
  let resume: () => void = () => undefined;
  const launched = await launch({
    ...request,
    onChunk(bytes) {
      recorder().onChunk(bytes);
      request.onOutput();
      if (!recorder().isFull) return true;
      void recorder()
        .drained()
        .then(() => resume());
      return false;
    },
  });
  resume = launched.resume;
  const { pid, ended, stop, stopNow } = launched;
  return {
    pid,
    recorder: recorder(),
    ended,
    isTerminal: false,
    applicationCursor: () => false,
    input: launched.input && toInput(launched.input),
    stop,
    stopNow,
  };
}

function toInput(stream: Writable): RunInput {
  return {
    get isOpen() {
      return stream.writable;
    },
    get isFull() {
      return stream.writableLength >= MAX_WAITING_BYTES;
    },
    write: (bytes) =>
      new Promise((resolve, reject) => {
        // A program that does not read yet finds the bytes when it does.
        const timer = setTimeout(resolve, MAX_WRITE_WAIT_MS);
        stream.write(Buffer.from(bytes), (error) => {
          clearTimeout(timer);
          if (error) reject(error);
          else resolve();
        });
      }),
    end: () =>
      new Promise((resolve) => {
        // The end comes behind what is not read yet, and may have to wait for ever.
        const timer = setTimeout(resolve, MAX_WRITE_WAIT_MS);
        const finish = () => {
          clearTimeout(timer);
          resolve();
        };
        stream.once("close", finish);
        stream.end(finish);
      }),
  };
}
