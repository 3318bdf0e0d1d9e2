// `secrets`: where secret references `{ source, provider, id }` lead.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const provider = lazy(() =>
  openSection("One provider of secrets.", {
    source: t.choice(["env", "file", "exec", "store"], {
      description: "Where it reads; references to `exec` and `store` are refused here.",
    }),
    path: t.string({ description: "File of `file`, from the folder of the config." }),
    mode: t.choice(["json", "singleValue"], {
      description: "`id` is a pointer into the JSON file, or `value` for the whole file.",
    }),
    allowlist: texts("Variables that `env` may read; without it all."),
  }),
);

export const secrets = lazy(() =>
  section("Where secret references lead.", {
    providers: t.record(provider(), { description: "Providers by name." }),
    defaults: t.record(t.string(), {
      description: "The provider of each source, when none is named.",
    }),
  }),
);
