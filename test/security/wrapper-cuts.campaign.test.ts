// Results from outside, cut at every offset on their way through the door: whatever the cut leaves,
// there is one opening and one closing marker around it.

import { createToolkit, defineTool, type InvokeResult, t, textResult } from "clawtools";
import { expect, it } from "vitest";
import { createUntrustedWrapper } from "../../src/core/untrusted/wrap.js";
import { createSystemRandom } from "../../src/drivers/clock.js";
import rows from "../data/wrapper-spoof.json" with { type: "json" };
import { campaignSize, reportCampaign } from "../fakes/campaign.js";
import { createMemoryBridge, MEMORY_ROOT } from "../fakes/memory-bridge.js";
import { countReadable, readBlock } from "./wrapper-judge.js";

const STEP = campaignSize({ slice: 160, campaign: 1 });
const TIMEOUT_MS = campaignSize({ slice: 240_000, campaign: 1_800_000 });
const TITLE =
  "e2 · a result cut at any offset on its way out has one opening and one closing marker";

const wrap = createUntrustedWrapper({ random: createSystemRandom() });
const forged = rows.map((row) => row.text).join(" 👩‍💻 ");
/** The forgeries in a row, as fields of JSON, and as a block that was wrapped before. */
const TEXTS = [
  forged,
  JSON.stringify(rows.map(({ text }) => ({ title: text, snippet: `… ${text} …` }))),
  wrap(forged, { source: "elsewhere" }),
];

function fetching(text: string) {
  return defineTool({
    name: "fetch_page",
    description: "Fetches a page.",
    parameters: t.object({}),
    execute: async () => ({ ...textResult(text), untrusted: { source: `page ${text}` } }),
  });
}

async function callWithLimit(text: string, resultChars: number): Promise<InvokeResult> {
  const toolkit = createToolkit({
    root: MEMORY_ROOT,
    bridge: createMemoryBridge({}),
    config: { tools: { allow: ["fetch_page"] }, limits: { resultChars } },
    tools: [fetching(text)],
  });
  try {
    return await toolkit.invoke({ id: "call_1", name: "fetch_page", arguments: {} });
  } finally {
    await toolkit.close();
  }
}

/** Stands behind the marked block, and holds nothing of the page. */
const OWN_NOTICE =
  /^\[Text was left out above; ask for the rest with read, path "artifact:\/\/[0-9a-f]+"\.\]$/;

/** What is wrong with a result, or nothing. */
function findFault({ content, isError }: InvokeResult): string | undefined {
  const [block, notice, ...more] = content;
  if (isError || block?.type !== "text" || more.length > 0) return "not one block and a notice";
  if (notice && !(notice.type === "text" && OWN_NOTICE.test(notice.text)))
    return "no notice of ours";
  const { head, body } = readBlock(block.text);
  if (countReadable(head) + countReadable(body) > 0) return "a marker is left to read";
  return /\p{Surrogate}/u.test(block.text) ? "half a character" : undefined;
}

it(
  TITLE,
  async () => {
    let cuts = 0;
    let size = 0;
    for (const text of TEXTS) {
      for (let limit = 1; limit <= text.length + STEP; limit += STEP) {
        const result = await callWithLimit(text, limit);
        const fault = findFault(result);
        if (fault) expect.fail(`${fault} at ${limit}: ${JSON.stringify(result.content)}`);
        if (JSON.stringify(result.content).includes("characters left out here")) cuts += 1;
        size += 1;
      }
    }
    expect(cuts).toBeGreaterThan(size * 0.9);
    reportCampaign({ title: TITLE, size, detail: `${cuts} cut, 0 markers left to read` });
  },
  TIMEOUT_MS,
);
