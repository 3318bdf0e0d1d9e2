// Hover, drag, and scrolling without keys, which would go to the focused field.

import type { Frame } from "playwright-core";
import type { PageChange } from "../../../../core/browser.js";
import { tryBriefly } from "../../session/within.js";
import { changedUnderClick } from "../errors.js";
import type { Acted, Acting, ActOf } from "./acting.js";

const DRAG_STEPS = 8;
const DRAG_START_PX = 12;
const STILL_PX = 3;
const MAX_FOLLOWS = 4;

export async function hover(acting: Acting, { ref }: { ref: string }): Promise<Acted> {
  const { handle, guard, time } = acting;
  const found = await guard.find(ref, { purpose: "hover", input: "hover", time });
  const outcome = await guard.around({ found, input: "hover", time }, () =>
    time.step("the pointer to be moved", () =>
      handle.page.mouse.move(found.x, found.y, { steps: DRAG_STEPS }),
    ),
  );
  if (outcome && outcome.own.why !== "changed") return { frame: found.frame };
  throw changedUnderClick(
    ref,
    outcome
      ? "it became another one when the pointer came"
      : "it became another one before the pointer came",
  );
}

export async function scrollIntoView(
  { handle, time }: Acting,
  { ref }: { ref: string },
): Promise<Acted> {
  const found = await handle.elements.find(ref, "scroll", time.part());
  return { frame: found.frame };
}

export async function drag(acting: Acting, request: ActOf<"drag">): Promise<Acted> {
  const { handle, guard, time } = acting;
  const { elements } = handle;
  // The end first: the press must happen where the start is then.
  await elements.find(request.endRef, "look", time.part());
  const start = await elements.find(request.startRef, "drag", time.part());
  const end = await elements.find(request.endRef, "look", time.part());
  const outcome = await guard.around({ found: start, end, input: "drag", time }, () =>
    moveOver(acting, request),
  );
  if (!outcome) {
    await elements.find(request.startRef, "drag", time.part());
    throw changedUnderClick(request.startRef, "it became another one, and nothing was dragged");
  }
  if (outcome.own.why === "exchanged") {
    throw changedUnderClick(
      request.startRef,
      "another one came in its place while it was dragged, so it was not dropped",
    );
  }
  if (outcome.own.stopped + outcome.strayed > 0) {
    const ref = outcome.own.reached > 0 ? request.endRef : request.startRef;
    throw changedUnderClick(ref, "it was not where the pointer was");
  }
  return { frame: start.frame };
}

/** Checks both ends on the way, because scrolling may move the start. */
async function moveOver(acting: Acting, request: ActOf<"drag">): Promise<void> {
  const { handle, time } = acting;
  const { mouse } = handle.page;
  const move = (x: number, y: number) =>
    time.step("the pointer to be moved", () => mouse.move(x, y, { steps: DRAG_STEPS }));
  const from = await handle.elements.find(request.startRef, "drag", time.part());
  await move(from.x, from.y);
  let isDown = true;
  try {
    await time.step("the press to be taken by the page", () => mouse.down());
    await move(from.x + DRAG_START_PX, from.y + DRAG_START_PX);
    await moveTo(acting, request.endRef, move);
    isDown = false;
    await time.step("the release to be taken by the page", () => mouse.up());
  } finally {
    if (isDown) {
      await tryBriefly(() => mouse.move(from.x, from.y));
      await tryBriefly(() => mouse.up());
    }
  }
}

async function moveTo(
  { handle, time }: Acting,
  ref: string,
  move: (x: number, y: number) => Promise<void>,
): Promise<void> {
  const find = () => handle.elements.find(ref, "drop", time.part());
  let end = await handle.elements.find(ref, "aim", time.part());
  for (let tries = 0; tries < MAX_FOLLOWS; tries += 1) {
    await move(end.x, end.y);
    await move(end.x, end.y);
    const now = await find();
    if (Math.hypot(now.x - end.x, now.y - end.y) < STILL_PX) return;
    end = now;
  }
  throw changedUnderClick(ref, "it moves away from under the pointer");
}

const SCROLLED = "the page to be scrolled";
const MAX_FRAMES = 4;

type ScrollRequest = ActOf<"scroll">;

/** In the page: scrolls the covering dialog, the page, or the largest box that can scroll. */
const SCROLL = `(async (to, px, asked) => {
  const isAcross = to === "left" || to === "right";
  const isBack = to === "up" || to === "left" || to === "top";
  const [at, size, all, overflow] = isAcross
    ? ["scrollLeft", "clientWidth", "scrollWidth", "overflowX"]
    : ["scrollTop", "clientHeight", "scrollHeight", "overflowY"];
  const root = document.scrollingElement ?? document.documentElement;
  const styleOf = (one) => getComputedStyle(one)[overflow];
  const hasRoom = (one) => (isBack ? one[at] > 0 : one[all] - one[size] - one[at] > 1);
  const isBox = (one) => one !== root && hasRoom(one) && /auto|scroll|overlay/.test(styleOf(one));
  let inner = asked ?? document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  while (!asked && inner?.shadowRoot?.elementFromPoint) {
    const next = inner.shadowRoot.elementFromPoint(innerWidth / 2, innerHeight / 2);
    if (!next || next === inner) break;
    inner = next;
  }
  const path = [];
  for (let one = inner; one; one = one.assignedSlot ?? one.parentElement ?? one.getRootNode().host) path.push(one);
  const isOver = path.some((one) => one.matches("dialog, [role=dialog], [role=alertdialog], [aria-modal=true]"));
  const isHeld = [document.documentElement, document.body].some((one) => one && /hidden|clip/.test(styleOf(one)));
  const box = path.find(isBox);
  const areaOf = (one) => {
    const { top, left, bottom, right } = one.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) * Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0));
  };
  const largest = () => {
    const all = asked ? asked.querySelectorAll("*") : document.querySelectorAll("body *");
    const boxes = [...all].slice(0, 20000).filter(isBox);
    return boxes.map((one) => [areaOf(one), one]).filter(([area]) => area > 0).sort(([one], [other]) => other - one)[0]?.[1];
  };
  const isFrame = inner?.localName === "iframe" || inner?.localName === "frame";
  const main = !isHeld && hasRoom(root) ? root : undefined;
  const chosen = asked ? (isBox(asked) ? asked : largest() ?? box ?? main) : (isOver ? box : undefined) ?? main ?? box ?? (isFrame ? undefined : largest());
  if (!chosen) return isFrame ? inner : null;
  const before = chosen[at];
  const rest = to === "bottom" ? chosen[all] : to === "top" ? before : px ?? chosen[size] * 0.9;
  chosen.scrollBy({ [isAcross ? "left" : "top"]: isBack ? -rest : rest, behavior: "instant" });
  const painted = () => new Promise((done) => { requestAnimationFrame(() => done()); setTimeout(done, 100); });
  await painted();
  await painted();
  if (chosen[at] === before && chosen[all] - chosen[size] - before <= 1) return null;
  return { to: Math.round(chosen[at]), of: Math.round(chosen[all] - chosen[size]) };
})`;

export async function scroll(acting: Acting, request: ScrollRequest): Promise<Acted> {
  const { handle, time } = acting;
  const { to, px, ref } = request;
  const values = JSON.stringify([to, px ?? null]).slice(1, -1);
  if (ref !== undefined) {
    const found = await handle.elements.find(ref, "scroll", time.part());
    // Playwright passes elements to functions only, and sends their text.
    const text = `(asked) => ${SCROLL}(${values}, asked)`;
    const work = Object.assign((): unknown => undefined, { toString: () => text });
    const answer = await time.step(SCROLLED, () => found.locator.evaluate(work));
    return { frame: found.frame, ...describeScrolled(acting, { to, answer }) };
  }
  const code = `${SCROLL}(${values})`;
  let frame: Frame = handle.page.mainFrame();
  for (let depth = 0; depth < MAX_FRAMES; depth += 1) {
    const here = frame;
    const found = await time.step(SCROLLED, () => here.evaluateHandle(code));
    const inner = await found.asElement()?.contentFrame();
    if (!inner) {
      const answer: unknown = await found.jsonValue().catch(() => null);
      return { frame: here, ...describeScrolled(acting, { to, answer }) };
    }
    frame = inner;
  }
  return { frame };
}

function describeScrolled(
  { tell }: Acting,
  { to, answer }: Pick<ScrollRequest, "to"> & { readonly answer: unknown },
): Pick<Acted, "scrolled"> {
  const scrolled = toScrolled(answer);
  const isAcross = to === "left" || to === "right";
  if (!scrolled) tell(`Nothing here scrolls further ${describe(to)}.`);
  else if (isAcross) tell(`Scrolled to ${scrolled.top} of ${scrolled.ofPx} px from the left.`);
  return scrolled && !isAcross ? { scrolled } : {};
}

function describe(to: ScrollRequest["to"]): string {
  if (to === "bottom") return "down";
  return to === "top" ? "up" : to;
}

function toScrolled(value: unknown): PageChange["scrolled"] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const [top, ofPx] = [Number(Reflect.get(value, "to")), Number(Reflect.get(value, "of"))];
  return Number.isFinite(top) && Number.isFinite(ofPx) ? { top, ofPx } : undefined;
}
