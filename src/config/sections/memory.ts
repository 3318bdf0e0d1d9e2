// `memory`: how the memory tools answer. What they search is `agents.*.memorySearch`.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const memory = lazy(() =>
  openSection("The memory.", {
    citations: t.choice(["auto", "on", "off"], {
      description: "Name the place of each hit; `auto` does so in direct chats.",
    }),
  }),
);
