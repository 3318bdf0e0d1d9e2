// 8d: ten tasks of everyday life, by our tool and by @playwright/mcp: characters and calls. 11: their
// sum, as tokens.

import { withBrowsers } from "./measure/browser-setting.mjs";
import { sized } from "./measure/size.mjs";

const CHARS_PER_TOKEN = 4;

export const ids = ["8d", "11"];

export async function rows() {
  const spent = await withBrowsers(measureTasks);
  const sums = {
    ours: sum(spent.map(({ ours }) => ours)),
    peer: sum(spent.map(({ peer }) => peer)),
  };
  return [...spent.map(toTaskRow), toSumRow(sums)];
}

async function measureTasks({ tasks, runTask, openOurs, openPeer, server, root }) {
  const [ours, peer] = [await openOurs(), await openPeer()];
  const spent = [];
  for (const task of tasks.slice(0, sized(tasks.length))) {
    for (const hands of [ours, peer]) {
      hands.resetSpent();
      await runTask(task, { hands, base: server.base, root });
    }
    spent.push({ name: task.name, ours: count(ours.spent()), peer: count(peer.spent()) });
  }
  return spent;
}

function count({ calls, sentChars, gotChars }) {
  return { calls, chars: sentChars + gotChars };
}

function sum(all) {
  return all.reduce(
    (total, { calls, chars }) => ({ calls: total.calls + calls, chars: total.chars + chars }),
    { calls: 0, chars: 0 },
  );
}

function toTaskRow({ name, ours, peer }) {
  return {
    id: "8d",
    work: `${name}, beside @playwright/mcp`,
    raw: `${peer.chars} chars, ${peer.calls} calls`,
    ours: `${ours.chars} chars, ${ours.calls} calls`,
    ratio: `${(ours.chars / peer.chars).toFixed(2)}x`,
    target: "fewer of both",
    met: ours.chars < peer.chars && ours.calls < peer.calls,
  };
}

function toSumRow({ ours, peer }) {
  const tokens = ({ chars }) => Math.round(chars / CHARS_PER_TOKEN);
  return {
    id: "11",
    work: "ten tasks, beside @playwright/mcp",
    raw: `${tokens(peer)} tokens, ${peer.calls} calls`,
    ours: `${tokens(ours)} tokens, ${ours.calls} calls`,
    ratio: `${(ours.chars / peer.chars).toFixed(2)}x`,
    target: "fewer of both",
    met: ours.chars < peer.chars && ours.calls < peer.calls,
  };
}
