// `plugins`: which plugins are loaded, and their settings.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const pluginEntry = lazy(() =>
  openSection("One plugin.", {
    enabled: t.boolean({ description: "Load it.", default: true }),
    config: t.record(t.unknown(), {
      description: "Its own settings, checked against its `configSchema`.",
    }),
  }),
);

export const plugins = lazy(() =>
  section("Plugins.", {
    enabled: t.boolean({ description: "Load plugins.", default: true }),
    allow: texts("Only these plugins are loaded; an empty list loads none."),
    deny: texts("These plugins are not loaded; a deny wins."),
    load: section("Where plugins are looked for.", {
      paths: texts("Plugin folders, or folders of plugins."),
    }),
    slots: openSection("Places that one plugin fills.", {
      memory: t.string({ description: "Plugin of the memory; `none` is none." }),
    }),
    entries: t.record(pluginEntry(), { description: "Plugins by id." }),
    installs: t.record(openSection("How one came here.", {}), {
      description: "What an installer noted.",
    }),
  }),
);
