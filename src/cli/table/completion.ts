// The command that prints a completion script for a shell.

import { JSON_FLAG } from "../flags.js";
import type { Command, CommandGroup, CommandTable } from "./command.js";

const COMPLETION: Omit<Command, "load"> = {
  group: "completion",
  name: "",
  operands: [{ name: "SHELL", required: true, completes: ["bash", "zsh", "fish"] }],
  summary: "Print a completion script for bash, zsh or fish.",
  notes: [
    "For this session: source <(clawtools completion bash); in zsh the same with zsh; in fish clawtools completion fish | source.",
    "It completes commands, flags, tools and keys of the config.",
  ],
  flags: JSON_FLAG,
  required: [],
  sample: "clawtools completion bash",
};

/** It completes the whole table, itself too, which is whole only later. */
export function completionGroup(readTable: () => CommandTable): CommandGroup {
  const command: Command = {
    ...COMPLETION,
    load: async () => {
      const { createCompletion } = await import("../completion/completion.js");
      return { run: createCompletion(readTable()) };
    },
  };
  return { name: "completion", summary: COMPLETION.summary, commands: [command] };
}
