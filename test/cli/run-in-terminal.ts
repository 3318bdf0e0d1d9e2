// A command in a real terminal of 80 columns. It is killed when the test ends.

import { spawn } from "@lydell/node-pty";
import { onTestFinished } from "vitest";
import { BIN, type Sandbox } from "./run-cli.js";

export interface Watched {
  /** What it has written so far. */
  said(): string;
  type(text: string): void;
  end(): void;
  readonly ended: Promise<number>;
}

export function runInTerminal({ env, root }: Sandbox, words: readonly string[]): Watched {
  const terminal = spawn(process.execPath, [BIN, "--root", root, ...words], {
    cols: 80,
    rows: 24,
    env: { ...process.env, ...env },
  });
  let said = "";
  terminal.onData((text) => {
    said += text;
  });
  let hasEnded = false;
  const ended = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => {
      hasEnded = true;
      resolve(exitCode);
    });
  });
  onTestFinished(() => {
    if (!hasEnded) terminal.kill("SIGKILL");
  });
  const interrupt = "\u0003";
  return {
    said: () => said,
    type: (text) => terminal.write(text),
    end: () => terminal.write(interrupt),
    ended,
  };
}
