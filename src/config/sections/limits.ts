// `limits`: how much of the results reaches the model.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const limits = lazy(() =>
  section("Characters that reach the model.", {
    resultChars: t.integer({
      description: "Of one result; what is cut can be read on.",
      minimum: 1,
      default: 50_000,
    }),
    turnChars: t.integer({
      description: "Of all results of one turn together.",
      minimum: 1,
      default: 150_000,
    }),
  }),
);
