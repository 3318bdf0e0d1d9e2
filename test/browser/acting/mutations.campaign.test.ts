// Refs under random mutations of a list, in the way that pages draw lists: anew, by index, by key. A
// ref acts on the element it named, or is refused; never on another one. Playwright's own refs, in the
// same rounds, do act on others.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isToolError } from "../../../src/core/index.js";
import { campaignSeed, campaignSize, reportCampaign, seededRandom } from "../../fakes/campaign.js";
import { holdsOf, LAYOUTS, PEOPLE, toPage } from "../elements/layouts.js";
import { createStage, type Scene, type Stage, scope } from "./stage.js";

const IS_CAMPAIGN = campaignSize({ slice: 0, campaign: 1 }) === 1;
const BETWEEN = campaignSize({ slice: 5, campaign: 1_000 });
const DURING = campaignSize({ slice: 4, campaign: 500 });
const PRESSED = campaignSize({ slice: 4, campaign: 600 });
const CONTROL = campaignSize({ slice: 16, campaign: 400 });
const MAX_CONTROL = 400;
const ROWS = campaignSize({ slice: 4, campaign: 600 });
const RELOADS = campaignSize({ slice: 3, campaign: 100 });
const LIVE_RELOADS = campaignSize({ slice: 3, campaign: 300 });
const ALLOWED = ["stale_ref", "changed_under_click", "element_covered", "element_hidden"];
const LIMIT_MS = 3_000;

let stage: Stage;
let scene: Scene;
beforeAll(async () => {
  stage = await createStage();
});
afterAll(() => stage.close());

/** A list of people with buttons; `draw` is how it comes to be on the page. */
const PAGE = `<style>li{height:26px}</style><ul id=list></ul><script>
  window.clicks = [];
  let people = [], nextId = 1;
  const make = () => ({ id: nextId++, name: "P" + nextId });
  const fill = (li, person) => {
    li.querySelector("span").textContent = person.name;
    const [open, remove] = li.querySelectorAll("button");
    open.textContent = "Open " + person.name;
    for (const button of [open, remove])
      button.onclick = (e) => clicks.push({ id: person.id, what: button === open ? "open" : "delete" });
  };
  const newRow = (person) => {
    const li = document.createElement("li");
    li.innerHTML = "<span></span> <button></button> <button>Delete</button>";
    li.dataset.id = person.id; fill(li, person);
    return li;
  };
  const DRAW = {
    anew: () => list.replaceChildren(...people.map(newRow)),
    index: () => people.forEach((person, i) => {
      const li = list.children[i]; if (li) { li.dataset.id = person.id; fill(li, person); } else list.append(newRow(person));
    }) || [...list.children].slice(people.length).forEach((li) => li.remove()),
    key: () => {
      const rows = new Map([...list.children].map((li) => [li.dataset.id, li]));
      list.replaceChildren(...people.map((p) => rows.get(String(p.id)) ?? newRow(p)));
    },
  };
  const CHANGE = {
    insert: (r) => people.splice(Math.floor(r() * (people.length + 1)), 0, make()),
    remove: (r) => people.splice(Math.floor(r() * people.length), 1),
    shuffle: (r) => people.sort(() => r() - 0.5),
    swap: () => { [people[0], people[1]] = [people[1], people[0]]; },
    head: () => people.shift(),
    rename: (r) => { const p = people[Math.floor(r() * people.length)]; p.name = "R" + p.id + Math.floor(r() * 99); p.id = nextId++; },
    none: () => 0,
  };
  window.reset = (count) => { people = Array.from({ length: count }, make); clicks.length = 0; DRAW.anew(); };
  window.mutate = (change, way, seed) => {
    let s = seed; const r = () => { s = (s * 16807) % 2147483647; return s / 2147483647; };
    while (people.length < 3) people.push(make());
    CHANGE[change](r); DRAW[way]();
  };
</script>`;
const CHANGES = ["insert", "remove", "shuffle", "swap", "head", "rename", "none"];
const WAYS = ["anew", "index", "key", "key"];
/** Events of one click, before the one that counts. */
const MOMENTS = ["pointerdown", "mousedown", "focusin", "pointerup", "mouseup"];
const DELAYS = ["(f) => f()", "queueMicrotask", "setTimeout", "requestAnimationFrame"];

/** What stands in the rows, and one who was not there; what stands there then. */
const ROW_CHANGES = [
  "(names) => [names[1], names[0], names[2]]",
  "(names) => [names[1], names[2], names[0]]",
  "(names, other) => [other, names[0], names[1]]",
  "(names, other) => [names[0], other, names[2]]",
  "(names) => [names[2], names[1], names[0]]",
  "(names) => names",
];

interface Tally {
  hit: number;
  refused: number;
  quiet: number;
  wrong: string[];
  odd: string[];
}

interface Wanted {
  readonly ref: string;
  readonly id: number;
  readonly what: string;
}

const pick = <Value>(values: readonly Value[], random: () => number): Value => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("nothing to pick from");
  return value;
};

/** One of the buttons, and whose it is. */
async function choose(random: () => number): Promise<Wanted> {
  await scene.read("reset(6)");
  const ids = (await scene.read(
    "[...list.children].map((li) => Number(li.dataset.id))",
  )) as number[];
  const buttons = (await scene.listed()).filter(({ role }) => role === "button");
  expect(buttons).toHaveLength(ids.length * 2);
  const index = Math.floor(random() * buttons.length);
  const what = index % 2 === 0 ? "open" : "delete";
  return { ref: buttons[index]?.ref ?? "", id: ids[Math.floor(index / 2)] ?? 0, what };
}

function judge(tally: Tally, wanted: Wanted, result: { clicks: Click[]; error: unknown }): void {
  const { clicks, error } = result;
  const wrong = clicks.filter(({ id, what }) => id !== wanted.id || what !== wanted.what);
  if (wrong.length > 0) tally.wrong.push(JSON.stringify({ wanted, clicks }));
  if (error !== undefined) {
    tally.refused += 1;
    const reason = isToolError(error) ? error.reason : String(error);
    if (!ALLOWED.includes(reason ?? "")) tally.odd.push(String(reason));
  } else if (clicks.length > 0) tally.hit += 1;
  else tally.quiet += 1;
}

interface Click {
  readonly id: number;
  readonly what: string;
}

const readClicks = async () => (await scene.read("clicks")) as Click[];

async function act(ref: string): Promise<unknown> {
  try {
    await scene.port.act({ kind: "click", ref }, { ...scope, timeoutMs: LIMIT_MS });
    return undefined;
  } catch (error) {
    return error;
  }
}

const newTally = (): Tally => ({ hit: 0, refused: 0, quiet: 0, wrong: [], odd: [] });

/** `by`: what decides how a click ends, the seed or the time that it takes. */
function expectSafe(
  title: string,
  tally: Tally,
  { size, by = "seed" }: { readonly size: number; readonly by?: "seed" | "clock" },
): void {
  const { hit, refused, quiet, wrong, odd } = tally;
  reportCampaign({
    title,
    size,
    detail: `${hit} hit, ${refused} refused, ${quiet} without a click`,
  });
  expect(wrong).toEqual([]);
  expect(odd).toEqual([]);
  expect(hit + refused + quiet).toBe(size);
  // A few clicks against the clock may all end alike on a busy machine.
  if (by === "clock" && !IS_CAMPAIGN) return;
  expect(hit).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
}

describe("a ref under random mutations", () => {
  const between = "a click after the page changed hits the element that was named, or none";
  it(between, async () => {
    scene = await stage.open(PAGE);
    const random = seededRandom(campaignSeed());
    const tally = newTally();
    for (let round = 0; round < BETWEEN; round += 1) {
      const wanted = await choose(random);
      const change = `mutate("${pick(CHANGES, random)}", "${pick(WAYS, random)}", ${1 + Math.floor(random() * 1e6)})`;
      await scene.read(change);
      const error = await act(wanted.ref);
      judge(tally, wanted, { clicks: await readClicks(), error });
    }
    expectSafe(between, tally, { size: BETWEEN });
  });

  const during =
    "a click while the page changes every 4 ms hits the element that was named, or none";
  it(during, async () => {
    scene = await stage.open(PAGE);
    const random = seededRandom(campaignSeed() + 1);
    const tally = newTally();
    for (let round = 0; round < DURING; round += 1) {
      const wanted = await choose(random);
      // Some changes are rare, so that there is something to hit.
      const everyMs = pick([4, 4, 40, 150], random);
      await scene.read(`window.timer = setInterval(() => mutate(
        ${JSON.stringify(CHANGES)}[Math.floor(Math.random() * ${CHANGES.length})],
        ${JSON.stringify(WAYS)}[Math.floor(Math.random() * ${WAYS.length})],
        1 + Math.floor(Math.random() * 1e6)), ${everyMs})`);
      const error = await act(wanted.ref);
      await scene.read("clearInterval(timer)");
      judge(tally, wanted, { clicks: await readClicks(), error });
    }
    expectSafe(during, tally, { size: DURING, by: "clock" });
  });

  const pressed =
    "a click to whose press the page answers by another list hits the element that was named, or none";
  it(pressed, async () => {
    scene = await stage.open(PAGE);
    const random = seededRandom(campaignSeed() + 7);
    const tally = newTally();
    for (let round = 0; round < PRESSED; round += 1) {
      const wanted = await choose(random);
      const change = `mutate("${pick(CHANGES, random)}", "${pick(WAYS, random)}", ${1 + Math.floor(random() * 1e6)})`;
      await scene.read(`window.ending?.abort(); window.ending = new AbortController();
        document.addEventListener("${pick(MOMENTS, random)}", () => (${pick(DELAYS, random)})(() => ${change}),
          { once: true, capture: true, signal: ending.signal })`);
      const error = await act(wanted.ref);
      judge(tally, wanted, { clicks: await readClicks(), error });
    }
    expectSafe(pressed, tally, { size: PRESSED });
  });

  const control = "the refs of Playwright's own snapshot do hit others in the same rounds";
  it(control, async () => {
    scene = await stage.open(PAGE);
    const random = seededRandom(campaignSeed());
    let wrong = 0;
    let rounds = 0;
    // A few rounds may all go well by chance.
    for (; rounds < CONTROL || (wrong === 0 && rounds < MAX_CONTROL); rounds += 1) {
      await scene.read("reset(6)");
      const snapshot = await scene.page.ariaSnapshot({ mode: "ai" });
      const refs = [...snapshot.matchAll(/button "([^"]+)".*?\[ref=(\w+)\]/g)];
      const ids = (await scene.read(
        "[...list.children].map((li) => Number(li.dataset.id))",
      )) as number[];
      const index = Math.floor(random() * refs.length);
      const what = index % 2 === 0 ? "open" : "delete";
      await scene.read(
        `mutate("${pick(CHANGES, random)}", "index", ${1 + Math.floor(random() * 1e6)})`,
      );
      const locator = scene.page.locator(`aria-ref=${refs[index]?.[2]}`);
      if ((await locator.count()) > 0) await locator.click({ timeout: LIMIT_MS, force: true });
      const clicks = await readClicks();
      const id = ids[Math.floor(index / 2)];
      if (clicks.some((click) => click.id !== id || click.what !== what)) wrong += 1;
    }
    reportCampaign({ title: control, size: rounds, detail: `${wrong} wrong` });
    expect(wrong).toBeGreaterThan(0);
  });

  const rows =
    "a click on a row of any layout that is drawn by index hits the row that was named, or none";
  it(rows, async () => {
    const random = seededRandom(campaignSeed() + 3);
    const tally = newTally();
    let others = 0;
    for (let round = 0; round < ROWS; round += 1) {
      const [name = "", layout] = pick(Object.entries(LAYOUTS), random);
      if (!layout) continue;
      const how = holdsOf(layout);
      scene = await stage.open(toPage(layout, PEOPLE.slice(0, 3)));
      const held = `holders().map((holder) => held(holder, "${how}"))`;
      const before = (await scene.read(held)) as string[];
      const buttons = (await scene.listed()).filter(({ role }) => role === "button");
      const index = Math.floor(random() * buttons.length);
      const row = Math.floor((index * before.length) / buttons.length);
      const change = pick(ROW_CHANGES, random);
      await scene.read(`{ const names = ${held}; const other = ${JSON.stringify(PEOPLE[3])};
        const next = (${change})(names, "${how}" === "src" ? "data:," + other : other);
        holders().forEach((holder, at) => { if (next[at] !== names[at]) hold(holder, "${how}", next[at]); }); }`);
      const error = await act(buttons[index]?.ref ?? "");
      const after = (await scene.read(held)) as string[];
      const hits = (await scene.read("hits")) as string[];
      // Control: the button of the same place belongs to another row by now.
      if (after[row] !== before[row]) others += 1;
      const wrong = hits.filter((key) => after[Number(key)] !== before[row]);
      if (wrong.length > 0) tally.wrong.push(`${name}: ${change}`);
      if (error !== undefined) tally.refused += 1;
      else tally.hit += 1;
    }
    expectSafe(rows, tally, { size: ROWS });
    expect(others).toBeGreaterThan(0);
  });

  const live = "a click into a frame that keeps reloading hits what was named, or none";
  it(live, async () => {
    let turn = 0;
    const inner = stage.route("/live", (_request, response) => {
      turn += 1;
      const names = turn % 2 === 1 ? ["Keep", "Other"] : ["Other", "Keep"];
      const buttons = names.map(
        (name) => `<button style="width:90px;height:40px;display:block"
          onclick="parent.postMessage('${name}', '*')">${name}</button>`,
      );
      response.writeHead(200, { "content-type": "text/html" }).end(buttons.join(""));
    });
    scene = await stage.open(`<iframe id=f src="${inner}"></iframe><script>
      window.got = []; onmessage = (e) => got.push(e.data)</script>`);
    const random = seededRandom(campaignSeed() + 2);
    let refused = 0;
    for (let round = 0; round < LIVE_RELOADS; round += 1) {
      await scene.port.act({ kind: "wait", selector: "button" }, scope);
      const ref = await scene.ref("button", "Keep");
      await scene.read(`setTimeout(() => { f.src = f.src }, ${Math.floor(random() * 30)})`);
      if ((await act(ref)) !== undefined) refused += 1;
    }
    const got = (await scene.read("got")) as string[];
    const detail = `${got.length} hit, ${refused} refused`;
    reportCampaign({ title: live, size: LIVE_RELOADS, detail });
    expect(got.filter((name) => name !== "Keep")).toEqual([]);
    expect(got.length + refused).toBeGreaterThan(0);
  });

  const reloads = "a ref into a reloaded frame is refused";
  it(reloads, async () => {
    let turn = 0;
    const inner = stage.route("/inner", (_request, response) => {
      turn += 1;
      const names = turn % 2 === 1 ? ["Keep", "Other"] : ["Other", "Keep"];
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        names
          .map(
            (name) =>
              `<button onclick="parent.postMessage('${name}${turn}', '*')">${name}</button>`,
          )
          .join(""),
      );
    });
    scene = await stage.open(`<iframe id=f src="${inner}"></iframe><script>
      window.got = []; onmessage = (e) => got.push(e.data)</script>`);
    for (let round = 0; round < RELOADS; round += 1) {
      await scene.port.act({ kind: "wait", selector: "button" }, scope);
      const ref = await scene.ref("button", "Keep");
      await scene.read(
        "new Promise((resolve) => { f.onload = resolve; f.src = f.src; }).then(() => 0)",
      );
      expect(await act(ref)).toMatchObject({ code: "conflict", reason: "stale_ref" });
    }
    expect(await scene.read("got")).toEqual([]);
    reportCampaign({ title: reloads, size: RELOADS });
  });
});
