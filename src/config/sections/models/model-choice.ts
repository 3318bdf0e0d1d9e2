// A model, or a first choice with others to fall back on.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { either, section, texts } from "../section.js";

const name = lazy(() => t.string({ description: "`provider/model`.", minLength: 1 }));

export const modelChoice = lazy(() =>
  either(
    [
      name(),
      section("A primary model and fallbacks.", {
        primary: name(),
        fallbacks: texts("Tried in order when the primary fails."),
      }),
    ],
    { description: "`provider/model`, or a primary with fallbacks." },
  ),
);
