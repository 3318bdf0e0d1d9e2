// `plugins`: which plugins are loaded, and their settings.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const pluginEntry = lazy(() =>
  openSection("One plugin.", {
    enabled: t.boolean({ description: "Load this plugin.", default: true }),
    config: t.record(t.unknown(), {
      description: "Plugin settings, validated against its `configSchema`.",
    }),
  }),
);

export const plugins = lazy(() =>
  section("Plugins.", {
    enabled: t.boolean({ description: "Load plugins.", default: true }),
    allow: texts("Load only these plugins; an empty list loads none."),
    deny: texts("Never load these plugins; deny wins over allow."),
    load: section("Plugin discovery.", {
      paths: texts("Plugin directories, or directories of plugins."),
    }),
    slots: openSection("Exclusive plugin slots.", {
      memory: t.string({ description: "Memory plugin, or `none`." }),
    }),
    entries: t.record(pluginEntry(), { description: "Plugins by id." }),
    installs: t.record(openSection("One installation.", {}), {
      description: "Records of an installer.",
    }),
  }),
);
