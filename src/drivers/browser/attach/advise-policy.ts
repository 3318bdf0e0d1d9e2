// The policy where no filter can be put before the browser: requests of pages are judged and taken
// back, as far as they can be seen. Redirects, workers and WebRTC go past this, so it is advice only.

import type { BrowserContext } from "playwright-core";
import type { NetFilter } from "../../../core/browser.js";

export async function advisePolicy(
  context: BrowserContext,
  filter: Pick<NetFilter, "judge">,
): Promise<void> {
  await context.route("**/*", async (route) => {
    const { signal } = new AbortController();
    try {
      await filter.judge(route.request().url(), { signal });
    } catch {
      // The filter has noted why.
      await route.abort("blockedbyclient").catch(() => undefined);
      return;
    }
    await route.fallback().catch(() => undefined);
  });
}
