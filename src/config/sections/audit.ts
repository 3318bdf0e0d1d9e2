// `audit`: the record of every call.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { section } from "./section.js";

export const audit = lazy(() =>
  section("The record of every call in the state folder.", {
    enabled: t.boolean({ description: "Keep it.", default: true }),
    maxBytes: t.integer({
      description: "Bytes of one file; a full one is put aside, and another begins.",
      minimum: 64 * 1024,
      default: 32 * 1024 * 1024,
    }),
    keepFiles: t.integer({
      description: "How many full files are kept; beyond that the oldest goes.",
      minimum: 0,
      maximum: 10_000,
      default: 9,
    }),
  }),
);
