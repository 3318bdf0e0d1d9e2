// `memory`: how the memory tools answer. What they search is `agents.*.memorySearch`.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const memory = lazy(() =>
  openSection("Memory tools.", {
    citations: t.choice(["auto", "on", "off"], {
      description: "Cite the source of each hit; `auto` cites in direct chats.",
    }),
  }),
);
