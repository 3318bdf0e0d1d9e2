// `cron`: scheduled jobs.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const cron = lazy(() =>
  openSection("Scheduled jobs.", {
    enabled: t.boolean({ description: "Run scheduled jobs.", default: true }),
    store: t.string({ description: "Job store file." }),
    maxConcurrentRuns: t.integer({
      description: "Maximum concurrent jobs.",
      minimum: 1,
      default: 1,
    }),
    skipMissedJobs: t.boolean({
      description: "Skip jobs that were due while the gateway was down.",
    }),
  }),
);
