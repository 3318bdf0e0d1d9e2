// `secrets`: where secret references `{ source, provider, id }` lead.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const provider = lazy(() =>
  openSection("One secret provider.", {
    source: t.choice(["env", "file", "exec", "store"], {
      description: "Secret source. `exec` and `store` are not supported.",
    }),
    path: t.string({ description: "Secrets file, relative to the config." }),
    mode: t.choice(["json", "singleValue"], {
      description: "`json`: `id` is a JSON pointer. `singleValue`: the whole file.",
    }),
    allowlist: texts("Environment variables that may be read. Default: all."),
  }),
);

export const secrets = lazy(() =>
  section("Secret providers.", {
    providers: t.record(provider(), { description: "Providers by name." }),
    defaults: t.record(t.string(), {
      description: "Default provider per source.",
    }),
  }),
);
