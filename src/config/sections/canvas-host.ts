// `canvasHost`: the pages that the agent shows.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

const MAX_PORT = 65_535;

export const canvasHost = lazy(() =>
  openSection("Canvas pages.", {
    enabled: t.boolean({ description: "Serve canvas pages." }),
    root: t.string({ description: "Directory of the pages." }),
    port: t.integer({ description: "Port.", minimum: 0, maximum: MAX_PORT }),
    liveReload: t.boolean({ description: "Reload a page when it changes.", default: true }),
  }),
);
