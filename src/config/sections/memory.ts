// `memory`: how the memory tools answer. What they search is `agents.*.memorySearch`.

import { t } from "../../core/index.js";
import { openSection } from "./section.js";

export const memory = openSection("The memory.", {
  citations: t.choice(["auto", "on", "off"], {
    description: "Name the place of each hit; `auto` does so in direct chats.",
  }),
});
