// The command that looks at everything clawtools stands on.

import { JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup } from "./command.js";

const DOCTOR: Command = {
  group: "doctor",
  name: "",
  operands: [],
  summary: "Look for what is broken, and say what mends it.",
  notes: [
    "Looked at: Node, programs, what contains commands, the state folder, the config, the policy, the list of grants.",
    "With --fix: permissions, missing folders and files that a crash left; nothing else, and each is said. A folder that others use too is left.",
    "The exit code is 1 when something is broken, 0 with warnings.",
  ],
  flags: { fix: { type: "boolean", text: "Do what is safe." }, ...JSON_FLAG },
  required: [],
  load: () => import("../doctor/doctor.js"),
};

export const DOCTOR_GROUP: CommandGroup = {
  name: "doctor",
  summary: DOCTOR.summary,
  commands: [DOCTOR],
};
