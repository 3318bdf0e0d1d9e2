// `clawtools tools cost`: how much of each request the tool schemas take.

import { toPrintable } from "../../lib/printable.js";
import { type CommandCall, printJson, printLines } from "../command-call.js";
import { warnOfRefused, withToolkit } from "../with-toolkit.js";
import { wrapText } from "../wrap-text.js";

const CHARS_PER_TOKEN = 4;
const NUMBER_WIDTH = 10;
const ESTIMATE = `characters / ${CHARS_PER_TOKEN}`;

interface Cost {
  readonly name: string;
  readonly chars: number;
  readonly tokens: number;
}

export async function run(call: CommandCall): Promise<number> {
  const { output, switches, texts, width } = call;
  return await withToolkit(call, async ({ toolkit }) => {
    const schemas = toolkit.schemas({ provider: texts.provider, model: texts.model });
    warnOfRefused(toolkit, output);
    const tools = schemas.map((schema) => toCost(schema.name, JSON.stringify(schema).length));
    const sum = toCost(
      "all",
      tools.reduce((total, { chars }) => total + chars, 0),
    );
    if (switches.has("json")) {
      const { chars, tokens } = sum;
      printJson(output, { provider: texts.provider, tools, chars, tokens, estimate: ESTIMATE });
    } else {
      printLines(output, formatCosts({ tools, sum, width }));
    }
    return 0;
  });
}

function toCost(name: string, chars: number): Cost {
  return { name, chars, tokens: Math.ceil(chars / CHARS_PER_TOKEN) };
}

function formatCosts(costs: { tools: readonly Cost[]; sum: Cost; width: number }): string[] {
  const { tools, sum, width } = costs;
  const nameWidth = width - 2 * NUMBER_WIDTH - 2;
  const longest = Math.max(...[...tools, sum].map(({ name }) => name.length), "tool".length);
  const shown = Math.min(longest, nameWidth);
  const line = (name: string, numbers: readonly [string, string]) =>
    `  ${toPrintable(name, shown).padEnd(shown)}${numbers.map((cell) => cell.padStart(NUMBER_WIDTH)).join("")}`;
  const ofCost = ({ name, chars, tokens }: Cost) => line(name, [String(chars), String(tokens)]);
  return [
    line("tool", ["chars", "tokens"]),
    ...tools.map(ofCost),
    ofCost(sum),
    "",
    ...wrapText(`Tokens are an estimate: ${ESTIMATE}, rounded up.`, width),
  ];
}
