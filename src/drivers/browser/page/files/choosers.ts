// File choosers: files go into the open one, the one that this act opens, or the next one of the site.

import type { FileChooser, Frame, Page } from "playwright-core";
import { within } from "../../session/within.js";
import type { WorkTime } from "../page-work.js";

const OPEN_MS = 1_000;
const ASK_MS = 1_000;
const MAX_ARMED_MS = 10_000;

type AssertSame = (ref: string) => Promise<void>;

export interface Giving {
  readonly files: readonly string[];
  readonly time: WorkTime;
  readonly assertSame: AssertSame;
}

export function createChoosers(options: {
  readonly page: Page;
  readonly tell: (event: string | (() => string)) => void;
}) {
  const { page, tell } = options;
  let open: { readonly chooser: FileChooser; readonly ref: string | undefined } | undefined;
  let actedOn: string | undefined;
  let take: ((chooser: FileChooser) => void) | undefined;
  let armed: { readonly files: readonly string[]; readonly origin: string } | undefined;

  const keep = (chooser: FileChooser) => {
    open = { chooser, ref: actedOn };
    tell(() =>
      open?.chooser === chooser ? "A file chooser is open; give it files with action upload." : "",
    );
  };
  const giveArmed = async (chooser: FileChooser, files: readonly string[]) => {
    const from = await chooser.element().ownerFrame();
    if (!from || !isSameSite(from, page.mainFrame())) return keep(chooser);
    await chooser.setFiles([...files], { timeout: MAX_ARMED_MS });
    tell("The files of the last upload were given to the file chooser.");
  };
  page.on("filechooser", (chooser) => {
    if (take) return take(chooser);
    const { files, origin } = armed ?? {};
    armed = undefined;
    if (!files || origin !== originOf(page.mainFrame())) return keep(chooser);
    giveArmed(chooser, files).catch(() => keep(chooser));
  });
  return {
    expectOf: (ref: string | undefined) => {
      actedOn = ref;
    },
    arm: (files: readonly string[]) => {
      armed = { files, origin: originOf(page.mainFrame()) };
      tell("No file chooser is open; the next one that this page opens gets the files.");
    },
    give: async ({ files, time, assertSame }: Giving) => {
      armed = undefined;
      const { chooser, ref } = open ?? {};
      open = undefined;
      if (!chooser || !(await frameOf(chooser, time))) return false;
      if (ref !== undefined) await assertSame(ref);
      await setFiles(chooser, { files, time });
      return true;
    },
    /** false: the act opened no chooser of the same origin. */
    giveDuring: async ({
      files,
      time,
      ref,
      assertSame,
      act,
    }: Giving & {
      readonly ref: string;
      readonly act: () => Promise<{ readonly frame?: Frame | undefined }>;
    }) => {
      armed = undefined;
      open = undefined;
      const opened = new Promise<FileChooser>((resolve) => {
        take = resolve;
      });
      try {
        const { frame = page.mainFrame() } = await act();
        const chooser = await soon(OPEN_MS, { time, work: () => opened });
        if (!chooser) return false;
        const from = await frameOf(chooser, time);
        if (!from || !isSameSite(from, frame)) {
          tell("Another frame opened a file chooser; it did not get the files.");
          return false;
        }
        await assertSame(ref);
        await setFiles(chooser, { files, time });
        return true;
      } finally {
        take = undefined;
      }
    },
  };
}

function isSameSite(one: Frame, other: Frame): boolean {
  if (one === other) return true;
  const [origin, otherOrigin] = [originOf(one), originOf(other)];
  return origin === otherOrigin && origin !== "null";
}

function originOf(frame: Frame): string {
  const url = frame.url();
  return URL.canParse(url) ? new URL(url).origin : "null";
}

async function frameOf(chooser: FileChooser, time: WorkTime): Promise<Frame | undefined> {
  const work = () => chooser.element().ownerFrame();
  return (await soon(ASK_MS, { time, work })) ?? undefined;
}

async function soon<Value>(
  maxMs: number,
  { time, work }: { readonly time: WorkTime; readonly work: () => Promise<Value> },
): Promise<Value | undefined> {
  const limit = { ...time.part(maxMs), what: "a file chooser" };
  return within(limit, work).catch((error: unknown) => {
    if (time.signal.aborted) throw error;
    return undefined;
  });
}

function setFiles(
  chooser: FileChooser,
  { files, time }: { readonly files: readonly string[]; readonly time: WorkTime },
): Promise<void> {
  return time.step("the file chooser to take the files", () =>
    chooser.setFiles([...files], { timeout: 0 }),
  );
}
