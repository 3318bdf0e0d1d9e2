// A model, or a first choice with others to fall back on.

import { t } from "../../core/index.js";
import { either, section, texts } from "./section.js";

const name = t.string({ description: "`provider/model`.", minLength: 1 });

export const modelChoice = either(
  [
    name,
    section("A first choice and others.", {
      primary: name,
      fallbacks: texts("Tried in this order when the first fails."),
    }),
  ],
  { description: "`provider/model`, or a first choice with others to fall back on." },
);
