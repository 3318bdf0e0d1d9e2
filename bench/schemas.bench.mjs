// 2b: extracting the schemas of resolved tools again and again, beside a plain map to three fields.

import { createClawtools, extractToolSchemas } from "../dist/index.js";
import { timeSideBySide, toRow } from "./measure/side-by-side.mjs";

const MAX_RATIO = 3;
const MANY = 1000;

export const ids = ["2b"];

export async function rows() {
  const some = createClawtools({ catalog: "all" }).tools.resolveAll({ workspaceDir: "." });
  const many = Array.from({ length: MANY }, (_, index) => ({
    ...some[index % some.length],
    name: `tool_${index}`,
    parameters: structuredClone(some[index % some.length].parameters),
  }));
  return [
    measure({ tools: some, provider: undefined }),
    measure({ tools: some, provider: "google" }),
    measure({ tools: many, provider: undefined }),
    measure({ tools: many, provider: "google" }),
  ];
}

function measure({ tools, provider }) {
  const plain = () =>
    tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    }));
  const [raw, ours] = timeSideBySide([plain, () => extractToolSchemas(tools, provider)], {
    callsPerRound: tools.length > 100 ? 100 : 2000,
  });
  const work = `schemas of ${tools.length}${provider ? `, ${provider}` : ""}`;
  return toRow({ id: "2b", work, raw, ours, maxRatio: MAX_RATIO });
}
