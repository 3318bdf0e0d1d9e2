// `limits`: how much of the results reaches the model.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const limits = lazy(() =>
  section("Characters of results that reach the model.", {
    resultChars: t.integer({
      description: "Characters of one result; the rest can be read later.",
      minimum: 1,
      default: 50_000,
    }),
    turnChars: t.integer({
      description: "Characters of all results in one turn.",
      minimum: 1,
      default: 150_000,
    }),
  }),
);
