// File choosers of a page. One that opens takes the files that were named for it before, or waits.

import type { FileChooser, Page } from "playwright-core";
import type { Clock } from "../../../../core/index.js";
import { within } from "../../session/within.js";

const MAX_ARMED_MS = 120_000;
const SET_FILES_MS = 10_000;
/** For a click to bring up a chooser. */
const OPEN_MS = 1_000;

export interface Choosers {
  /** Into the one that is open, else into the next one. */
  give(files: readonly string[]): Promise<"given" | "armed">;
  /** Until the files that are named for the next one were taken, for a while at most. */
  taken(): Promise<void>;
  close(): void;
}

interface Armed {
  readonly files: readonly string[];
  readonly untilMs: number;
  readonly done: () => void;
}

export function createChoosers(options: {
  readonly page: Page;
  readonly clock: Clock;
  readonly tell: (event: string) => void;
}): Choosers {
  const { page, clock, tell } = options;
  let open: FileChooser | undefined;
  let armed: Armed | undefined;
  let taking: Promise<void> = Promise.resolve();

  const onChooser = (chooser: FileChooser) => {
    const ready = armed && armed.untilMs > clock.now() ? armed : undefined;
    armed = undefined;
    if (!ready) {
      open = chooser;
      tell("A file chooser is open; give it files with action upload.");
      return;
    }
    setFiles(chooser, ready.files)
      .then(
        () => tell(`The file chooser took ${describe(ready.files)}.`),
        (error: unknown) => tell(`The file chooser did not take the files: ${String(error)}.`),
      )
      .finally(ready.done);
  };
  const onNavigated = (frame: unknown) => {
    if (frame === page.mainFrame()) open = undefined;
  };
  page.on("filechooser", onChooser);
  page.on("framenavigated", onNavigated);
  return {
    give: async (files) => {
      const chooser = open;
      open = undefined;
      if (!chooser) {
        taking = new Promise((done) => {
          armed = { files, untilMs: clock.now() + MAX_ARMED_MS, done };
        });
        return "armed";
      }
      await setFiles(chooser, files);
      return "given";
    },
    taken: () => {
      const { signal } = new AbortController();
      const limit = { timeoutMs: OPEN_MS, signal, what: "a file chooser to open" };
      // One that does not open keeps the files for later, which is told.
      return within(limit, () => taking).catch(() =>
        tell("No file chooser opened; the next one gets the files."),
      );
    },
    close: () => {
      page.off("filechooser", onChooser);
      page.off("framenavigated", onNavigated);
    },
  };
}

function setFiles(chooser: FileChooser, files: readonly string[]): Promise<void> {
  const { signal } = new AbortController();
  const limit = { timeoutMs: SET_FILES_MS, signal, what: "the file chooser to take the files" };
  return within(limit, () => chooser.setFiles([...files], { timeout: SET_FILES_MS }));
}

function describe(files: readonly string[]): string {
  return files.length === 1 ? "one file" : `${files.length} files`;
}
