// `secrets`: where secret references `{ source, provider, id }` lead.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection, section, texts } from "./section.js";

const provider = lazy(() =>
  openSection("One provider of secrets.", {
    source: t.choice(["env", "file", "exec", "store"], {
      description: "Where it reads; references to `exec` and `store` are refused here.",
    }),
    path: t.string({
      description: "The file of `file`, from the folder of the config.",
      minLength: 1,
    }),
    mode: t.choice(["json", "singleValue"], {
      description: "A JSON file whose `id` is a pointer, or one secret with the id `value`.",
      default: "json",
    }),
    allowlist: texts("Variables that `env` may read; without it all."),
  }),
);

export const secrets = lazy(() =>
  section("Where secret references lead.", {
    providers: t.record(provider(), { description: "Providers by name." }),
    defaults: openSection("The provider of references that name none, for each source.", {
      env: t.string({ description: "For `env`.", default: "default" }),
      file: t.string({ description: "For `file`.", default: "default" }),
    }),
  }),
);
