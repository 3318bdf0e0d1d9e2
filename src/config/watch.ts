// Watches config files by looking once a second, which also works for renames and network folders.

import { stat } from "node:fs/promises";

const LOOK_MS = 1_000;

/** The times of files are those of the kernel's last tick. */
const CLOCK_SLACK_MS = 20;

interface ConfigWatch {
  readonly files: readonly string[];
  readonly readAtMs: number;
  /** Once for each change that is still there at the next look; one after the other. Never rejects. */
  onChange(): Promise<void>;
}

interface Look {
  readonly text: string;
  readonly changedAtMs: number;
}

export function watchConfig({ files, readAtMs, onChange }: ConfigWatch): () => void {
  let before: string | undefined;
  let isLooking = false;
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const now = await lookAt(files);
    const isOther =
      before === undefined ? now.changedAtMs > readAtMs - CLOCK_SLACK_MS : before !== now.text;
    before = now.text;
    if (isOther) await onChange();
    isLooking = false;
  };
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

async function lookAt(files: readonly string[]): Promise<Look> {
  const looks = await Promise.all(files.map(lookAtFile));
  return {
    text: looks.map(({ text }) => text).join(),
    changedAtMs: Math.max(...looks.map(({ changedAtMs }) => changedAtMs)),
  };
}

async function lookAtFile(file: string): Promise<Look> {
  try {
    const { ino, size, mtimeMs, ctimeMs } = await stat(file);
    return { text: `${ino}:${size}:${mtimeMs}:${ctimeMs}`, changedAtMs: ctimeMs };
  } catch {
    return { text: "", changedAtMs: 0 };
  }
}
