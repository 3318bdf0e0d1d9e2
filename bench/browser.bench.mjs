// 8a: a snapshot of a page that has just changed, beside a bare walk over its elements and beside
// @playwright/mcp. 8b: its size. 8c: a click with all that follows it, and how soon a bad one is told.

import { callWell, refIn, textOf, withBrowsers } from "./measure/browser-setting.mjs";
import { summarize } from "./measure/side-by-side.mjs";
import { sized } from "./measure/size.mjs";

const SIZES = sized([100, 1000, 10_000], [100]);
const ROUNDS = { 100: sized(15), 1000: 15, 10000: 9 };
/** One of its snapshots of the large page takes seconds. */
const PEER_ROUNDS = { 100: sized(5), 1000: 5, 10000: 3 };
const WARM_UP = sized(2, 0);
const MAX_WALK_RATIO = 8;
const EXTRA_MS = 15;
const MIN_PEER_RATIO = 10;
const MAX_SNAPSHOT_CHARS = 20_000;
const MAX_CLICK_MS = 80;
const MAX_TOLD_MS = 100;
const NANOSECONDS = 1e6;

export const ids = ["8a", "8b", "8c"];

export function rows({ isWanted }) {
  return withBrowsers(async (setting) => {
    const seats = { setting, ours: await setting.openOurs(), raw: await setting.openRaw() };
    const made = [];
    if (isWanted("8a") || isWanted("8b")) {
      const peer = await setting.openPeer();
      for (const size of SIZES) made.push(...(await measureSnapshots({ ...seats, peer, size })));
    }
    if (isWanted("8c")) {
      for (const size of SIZES) made.push(await measureClicks({ ...seats, size }));
      made.push(...(await measureRefusals(seats)));
    }
    return made;
  });
}

/** Once through all elements, with what a listing cannot do without, as one text. */
const WALK = `(() => {
  const lines = [];
  for (const element of document.querySelectorAll("*")) {
    lines.push(element.tagName + " " + (element.firstChild?.nodeValue ?? ""));
  }
  return lines.join("\\n");
})()`;

async function measureSnapshots({ setting, ours, raw, peer, size }) {
  const url = `${setting.server.base}/many?elements=${size}`;
  await raw.goto(url);
  await callWell(ours, { action: "navigate", targetUrl: url });
  await peer.call("browser_navigate", { url });
  const times = { raw: [], ours: [], peer: [] };
  const chars = { ours: 0, peer: 0 };
  for (let round = 0; round < ROUNDS[size] + WARM_UP; round++) {
    await raw.evaluate("changeOne()");
    const walked = await timed(() => raw.evaluate(WALK));
    await callWell(ours, { action: "act", kind: "evaluate", fn: "changeOne()" });
    const listed = await timed(() => callWell(ours, { action: "snapshot" }));
    chars.ours = textOf(listed.answer).length;
    if (round < WARM_UP) continue;
    times.raw.push(walked.spent);
    times.ours.push(listed.spent);
  }
  for (let round = 0; round < PEER_ROUNDS[size]; round++) {
    await peer.call("browser_evaluate", { function: "() => changeOne()" });
    const { spent, answer } = await timed(() => peer.call("browser_snapshot", {}));
    times.peer.push(spent);
    chars.peer = answer.length;
  }
  return toSnapshotRows({ size, times, chars });
}

function toSnapshotRows({ size, times, chars }) {
  const [raw, ours, peer] = [times.raw, times.ours, times.peer].map(summarize);
  const bound = MAX_WALK_RATIO * raw.median + EXTRA_MS * NANOSECONDS;
  const faster = peer.median / ours.median;
  return [
    {
      id: "8a",
      work: `snapshot of ${size} after a change, beside a bare walk`,
      raw: format(raw),
      ours: format(ours),
      ratio: `${(ours.median / raw.median).toFixed(1)}x`,
      target: `<= ${MAX_WALK_RATIO}x + ${EXTRA_MS} ms`,
      met: ours.median <= bound,
    },
    {
      id: "8a",
      work: `snapshot of ${size} after a change, beside @playwright/mcp`,
      raw: format(peer),
      ours: format(ours),
      ratio: `${faster.toFixed(1)}x faster`,
      target: size === SIZES.at(-1) ? `>= ${MIN_PEER_RATIO}x faster` : "-",
      met: size === SIZES.at(-1) ? faster >= MIN_PEER_RATIO : undefined,
    },
    {
      id: "8b",
      work: `size of that of ${size}, beside @playwright/mcp`,
      raw: `${chars.peer} chars`,
      ours: `${chars.ours} chars`,
      ratio: `${(chars.ours / chars.peer).toFixed(2)}x`,
      target: `<= ${MAX_SNAPSHOT_CHARS}`,
      met: chars.ours <= MAX_SNAPSHOT_CHARS,
    },
  ];
}

/** Raw is the press and the release of the mouse, without waiting for anything. */
async function measureClicks({ setting, ours, raw, size }) {
  const url = `${setting.server.base}/many?elements=${size}`;
  await raw.goto(url);
  const { x, y, width, height } = await raw.locator("#change").boundingBox();
  const opened = await callWell(ours, { action: "navigate", targetUrl: url });
  const ref = refIn(textOf(opened), "button", "Change one");
  await callWell(ours, { action: "snapshot" });
  const times = { raw: [], ours: [] };
  for (let round = 0; round < ROUNDS[size] + WARM_UP; round++) {
    const bare = await timed(() => raw.mouse.click(x + width / 2, y + height / 2));
    const whole = await timed(() => callWell(ours, { action: "act", kind: "click", ref }));
    if (!textOf(whole.answer).includes("Added")) throw new Error("The click told no change.");
    if (round < WARM_UP) continue;
    times.raw.push(bare.spent);
    times.ours.push(whole.spent);
  }
  const work = `click, settle and changes, ${size} elements`;
  return toLimitRow({ work, raw: times.raw, ours: times.ours, maxMs: MAX_CLICK_MS });
}

/** A bad ref, told with its reason. */
async function measureRefusals({ setting, ours }) {
  const { base } = setting.server;
  await callWell(ours, { action: "navigate", targetUrl: `${base}/covered` });
  const covered = textOf(await callWell(ours, { action: "snapshot" }));
  const made = [];
  for (const [name, reason] of [
    ["Buy", "element_covered"],
    ["Sold out", "element_disabled"],
  ]) {
    made.push(await measureRefusal({ ours, ref: refIn(covered, "button", name), reason }));
  }
  const ref = refIn(covered, "button", "Far below");
  const fn = "document.querySelector('#below').remove()";
  await callWell(ours, { action: "act", kind: "evaluate", fn });
  return [...made, await measureRefusal({ ours, ref, reason: "stale_ref" })];
}

async function measureRefusal({ ours, ref, reason }) {
  const times = [];
  for (let round = 0; round < ROUNDS[100] + WARM_UP; round++) {
    const { spent, answer } = await timed(() => ours.call({ action: "act", kind: "click", ref }));
    const found = answer.details?.error?.reason ?? answer.details?.reason;
    if (!answer.isError || found !== reason) {
      throw new Error(`Not ${reason}: ${textOf(answer)} ${JSON.stringify(answer.details)}`);
    }
    if (round >= WARM_UP) times.push(spent);
  }
  return toLimitRow({
    work: `click told as ${reason}`,
    raw: undefined,
    ours: times,
    maxMs: MAX_TOLD_MS,
  });
}

function toLimitRow({ work, raw, ours, maxMs }) {
  const figure = summarize(ours);
  const bare = raw === undefined ? undefined : summarize(raw);
  return {
    id: "8c",
    work,
    raw: bare === undefined ? "-" : format(bare),
    ours: format(figure),
    ratio: bare === undefined ? "-" : `${(figure.median / bare.median).toFixed(1)}x`,
    target: `<= ${maxMs} ms`,
    met: figure.median <= maxMs * NANOSECONDS,
  };
}

async function timed(work) {
  const start = process.hrtime.bigint();
  const answer = await work();
  return { answer, spent: Number(process.hrtime.bigint() - start) };
}

function format({ median, minimum }) {
  return `${toMs(median)}, best ${toMs(minimum)}`;
}

function toMs(nanoseconds) {
  return `${(nanoseconds / NANOSECONDS).toFixed(1)} ms`;
}
