// `clawtools tools cost`: how much of each request the tool schemas take.

import { toPrintable } from "../../../lib/printable.js";
import { type Command, show } from "../../command.js";
import { AUDIENCE_FLAGS } from "../../flags.js";
import { wrapText } from "../../terminal/wrap-text.js";
import { warnOfRefused, withToolkit } from "../../with-toolkit.js";

const CHARS_PER_TOKEN = 4;
const NUMBER_WIDTH = 10;
const ESTIMATE = `characters / ${CHARS_PER_TOKEN}`;

interface Cost {
  readonly name: string;
  readonly chars: number;
  readonly tokens: number;
}

export const command: Command = {
  notes: ["Tokens are an estimate: characters divided by 4."],
  flags: AUDIENCE_FLAGS,
  required: ["provider"],
  run: async (call) =>
    await withToolkit(call, async ({ toolkit }) => {
      const { provider, model } = call.texts;
      const schemas = toolkit.schemas({ provider, model });
      warnOfRefused(toolkit, call.output);
      const tools = schemas.map((schema) => toCost(schema.name, JSON.stringify(schema).length));
      const chars = tools.reduce((total, one) => total + one.chars, 0);
      const all = toCost("all", chars);
      return show(call, { provider, tools, chars, tokens: all.tokens, estimate: ESTIMATE }, () =>
        formatCosts([...tools, all], call.width),
      );
    }),
};

function toCost(name: string, chars: number): Cost {
  return { name, chars, tokens: Math.ceil(chars / CHARS_PER_TOKEN) };
}

function formatCosts(costs: readonly Cost[], width: number): string[] {
  const longest = Math.max(...costs.map(({ name }) => name.length), "tool".length);
  const nameWidth = Math.min(longest, width - 2 * NUMBER_WIDTH - 2);
  const line = (name: string, numbers: readonly unknown[]) =>
    `  ${toPrintable(name, nameWidth).padEnd(nameWidth)}${numbers.map((cell) => String(cell).padStart(NUMBER_WIDTH)).join("")}`;
  return [
    line("tool", ["chars", "tokens"]),
    ...costs.map(({ name, chars, tokens }) => line(name, [chars, tokens])),
    "",
    ...wrapText(`Tokens are an estimate: ${ESTIMATE}, rounded up.`, width),
  ];
}
