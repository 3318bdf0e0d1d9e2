// `undo`: what is kept of files before calls change them.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

const MAX_AGE_HOURS = 10 * 365 * 24;

export const undo = lazy(() =>
  section("Undo for file changes.", {
    enabled: t.boolean({ description: "Record undo data.", default: true }),
    required: t.boolean({
      description: "Refuse a change that cannot be undone.",
      default: false,
    }),
    maxBytes: t.integer({
      description: "Maximum undo data; the oldest calls are deleted first.",
      minimum: 1,
      default: 512 * 1024 * 1024,
    }),
    maxAgeHours: t.integer({
      description: "How long a call can be undone.",
      minimum: 1,
      maximum: MAX_AGE_HOURS,
      default: 7 * 24,
    }),
  }),
);
