// `budgets`: what one run may spend.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const budgets = lazy(() =>
  section("Limits for one run. Default: none.", {
    calls: t.integer({ description: "Tool calls.", minimum: 0 }),
    wallMs: t.integer({ description: "Total duration of calls.", minimum: 0 }),
    resultChars: t.integer({ description: "Total characters of results.", minimum: 0 }),
    tokens: t.integer({ description: "Tokens, as reported by the caller.", minimum: 0 }),
    usd: t.number({ description: "US dollars, as reported by the caller.", minimum: 0 }),
  }),
);
