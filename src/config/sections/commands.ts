// `commands`: what may be commanded in a chat.

import { t } from "../../core/index.js";
import { lazy } from "../../lib/lazy.js";
import { openSection } from "./section.js";

export const commands = lazy(() =>
  openSection("Commands in chats.", {
    restart: t.boolean({
      description: "The gateway may be restarted by the tool `gateway` and by a command.",
      default: false,
    }),
  }),
);
