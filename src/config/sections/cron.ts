// `cron`: scheduled jobs.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const cron = lazy(() =>
  openSection("Scheduled jobs.", {
    enabled: t.boolean({ description: "Run them.", default: true }),
    store: t.string({ description: "Place of the jobs." }),
    maxConcurrentRuns: t.integer({ description: "Jobs at the same time.", minimum: 1, default: 1 }),
    skipMissedJobs: t.boolean({ description: "Leave out what was due while nothing ran." }),
  }),
);
