// The sandbox of an agent: which sessions are in one, and what they see there.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection } from "../section.js";

export const sandbox = lazy(() =>
  openSection("The sandbox.", {
    mode: t.choice(["off", "non-main", "all"], {
      description: "Sessions that run in a sandbox; `non-main` means all but the main one.",
      default: "off",
    }),
    scope: t.choice(["session", "agent", "shared"], {
      description: "What shares one sandbox.",
      default: "agent",
    }),
    workspaceAccess: t.choice(["none", "ro", "rw"], {
      description: "Workspace access. Only `rw` is supported; other values are errors.",
      default: "rw",
    }),
    workspaceRoot: t.string({ description: "Directory for sandbox workspaces." }),
    sessionToolsVisibility: t.choice(["spawned", "all"], {
      description: "Sessions that sandboxed session tools can see.",
      default: "spawned",
    }),
  }),
);
