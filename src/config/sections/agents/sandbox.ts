// The sandbox of an agent: which sessions are in one, and what they see there.

import { t } from "../../../core/index.js";
import { lazy } from "../../../lib/lazy.js";
import { openSection } from "../section.js";

export const sandbox = lazy(() =>
  openSection("The sandbox.", {
    mode: t.choice(["off", "non-main", "all"], {
      description: "Which sessions are in a sandbox; `non-main` is all but the main one.",
      default: "off",
    }),
    scope: t.choice(["session", "agent", "shared"], {
      description: "Who shares one sandbox.",
      default: "agent",
    }),
    workspaceAccess: t.choice(["none", "ro", "rw"], {
      description: "What it sees of the workspace. Only `rw` can be kept; the others are errors.",
      default: "rw",
    }),
    workspaceRoot: t.string({ description: "Folder that holds the workspaces of sandboxes." }),
    sessionToolsVisibility: t.choice(["spawned", "all"], {
      description: "Which sessions its session tools see.",
      default: "spawned",
    }),
  }),
);
