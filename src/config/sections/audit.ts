// `audit`: the record of every call.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const audit = lazy(() =>
  section("The audit log in the state folder.", {
    enabled: t.boolean({ description: "Write the audit log.", default: true }),
    maxBytes: t.integer({
      description: "Rotate the log at this size.",
      minimum: 64 * 1024,
      default: 32 * 1024 * 1024,
    }),
    keepFiles: t.integer({
      description: "Rotated files to keep.",
      minimum: 0,
      maximum: 10_000,
      default: 9,
    }),
  }),
);
