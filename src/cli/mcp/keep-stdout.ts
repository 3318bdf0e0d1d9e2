// Keeps stdout for the protocol: whatever else writes to it, a plugin with console.log say, goes to
// stderr.

import { Writable } from "node:stream";

export interface KeptStdout {
  /** The way to the real stdout. */
  readonly output: Writable;
  giveBack(): void;
}

export function keepStdout(): KeptStdout {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const output = new Writable({
    write(chunk, encoding, done) {
      write.call(stdout, chunk, encoding, done);
    },
  });
  stdout.write = stderr.write.bind(stderr);
  return {
    output,
    giveBack() {
      stdout.write = write;
    },
  };
}
