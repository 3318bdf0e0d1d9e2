// Back, forward and again: the pages that the tab has been to.

import type { Response } from "playwright-core";
import { ToolError } from "../../../../core/index.js";
import type { PageHandle } from "../page-handle.js";
import { type NavigateRequest, navigateBy } from "./navigate.js";

export type HistoryStep = "back" | "forward" | "reload";

const OPTIONS = { waitUntil: "commit", timeout: 0 } as const;

export async function goInHistory(
  handle: PageHandle,
  { step, ...request }: Omit<NavigateRequest, "url"> & { readonly step: HistoryStep },
): Promise<void> {
  const { page } = handle;
  const url = page.url();
  const go: Readonly<Record<HistoryStep, () => Promise<Response | null>>> = {
    back: () => page.goBack(OPTIONS),
    forward: () => page.goForward(OPTIONS),
    reload: () => page.reload(OPTIONS),
  };
  const response = await navigateBy(handle, { ...request, url, go: go[step] });
  if (response || step === "reload" || page.url() !== url) return;
  throw new ToolError("failed", `There is no page to go ${step} to; the tab stays where it is.`, {
    reason: "navigation_failed",
    details: { step },
  });
}
