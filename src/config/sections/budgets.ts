// `budgets`: what one run may spend.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const budgets = lazy(() =>
  section("What one run may spend; without a key there is no limit.", {
    calls: t.integer({ description: "Calls of tools.", minimum: 0 }),
    wallMs: t.integer({ description: "Milliseconds that calls take together.", minimum: 0 }),
    resultChars: t.integer({ description: "Characters of all results together.", minimum: 0 }),
    tokens: t.integer({ description: "Tokens, as the caller reports them.", minimum: 0 }),
    usd: t.number({ description: "US dollars, as the caller reports them.", minimum: 0 }),
  }),
);
