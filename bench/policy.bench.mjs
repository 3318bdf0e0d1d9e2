// 2a: filtering tools by a compiled policy again and again, beside a filter by a plain Set of the
// names that are left; and compiling the policy, for whoever wants to know.

import { importSource } from "./measure/bundle-source.mjs";
import { timeSideBySide, toRow } from "./measure/side-by-side.mjs";

const MAX_RATIO = 3;
const SIZES = [25, 1000];

const CONFIG = {
  tools: {
    profile: "coding",
    alsoAllow: ["tool_1*", "group:web"],
    deny: ["group:runtime", "*_5", "canvas"],
    byProvider: { openai: { deny: ["tool_2*"] } },
  },
  agents: { list: [{ id: "main", tools: { deny: ["cron", "tool_3*"] } }] },
};
const REQUEST = { agentId: "main", provider: "openai", model: "gpt-5.2" };

export const ids = ["2a"];

export async function rows() {
  const { compilePolicy } = await importSource("src/toolkit/catalog.ts");
  const { filterToolsByPolicy } = await importSource("src/core/policy/compile.ts");
  const { CATALOG } = await importSource("src/tools/catalog.ts");
  return SIZES.map((size) => {
    const tools = makeTools(CATALOG, size);
    const policy = compilePolicy({ config: CONFIG, tools, request: REQUEST });
    const kept = filterToolsByPolicy(tools, policy);
    if (kept.length === 0 || kept.length === tools.length) throw new Error("the policy is idle");
    const names = new Set(kept.map(({ name }) => name));
    const works = [
      () => tools.filter(({ name }) => names.has(name)),
      () => filterToolsByPolicy(tools, policy),
    ];
    const [raw, ours] = timeSideBySide(works, { callsPerRound: size > 100 ? 500 : 10_000 });
    return toRow({
      id: "2a",
      work: `policy filter, ${size} tools`,
      raw,
      ours,
      maxRatio: MAX_RATIO,
    });
  });
}

/** Built-in tools first, then as many of a server as are missing. */
function makeTools(catalog, size) {
  const builtIn = catalog.map(({ tool }) => ({ name: tool.name, origin: "core" }));
  const foreign = Array.from({ length: Math.max(0, size - builtIn.length) }, (_, index) => ({
    name: `tool_${index}`,
    origin: "mcp",
    originId: "server",
  }));
  return [...builtIn, ...foreign].slice(0, size);
}
