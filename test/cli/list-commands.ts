// Every command of the command line, loaded, with the names of its flags.

import { GROUPS } from "../../src/cli/command-list.js";
import { readFlagTable } from "../../src/cli/flags.js";

export const GROUP_NAMES = Object.keys(GROUPS);

export const COMMANDS = await Promise.all(
  Object.entries(GROUPS).flatMap(([group, { commands }]) =>
    commands.map(async ({ name, load }) => {
      const command = await load();
      const flags = readFlagTable(command.flags ?? {}).map((flag) => flag.name);
      return { group, name, path: `${group} ${name}`.trim(), flags, command };
    }),
  ),
);
