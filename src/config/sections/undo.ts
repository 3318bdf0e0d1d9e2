// `undo`: what is kept of files before calls change them.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

const MAX_AGE_HOURS = 10 * 365 * 24;

export const undo = lazy(() =>
  section("Taking back what calls changed in files.", {
    enabled: t.boolean({ description: "Keep what is needed for it.", default: true }),
    required: t.boolean({
      description: "Refuse a change whose old content cannot be kept.",
      default: false,
    }),
    maxBytes: t.integer({
      description: "Bytes of old content of all calls together; over it the oldest calls go first.",
      minimum: 1,
      default: 512 * 1024 * 1024,
    }),
    maxAgeHours: t.integer({
      description: "Hours for which a call can be undone.",
      minimum: 1,
      maximum: MAX_AGE_HOURS,
      default: 7 * 24,
    }),
  }),
);
