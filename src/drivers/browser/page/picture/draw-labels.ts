// Draws numbered boxes on a picture, on a canvas in an isolated world of the page: nothing of it is in
// the document, and page scripts cannot reach it.

import type { Page } from "playwright-core";
import { ToolError } from "../../../../core/index.js";
import { withDevTools } from "../../session/within.js";

const WORLD = "claw-labels";
const DIGIT_PX = 8;
const GAP_PX = 4;
const NUMBER_PX = 14;
/** Covering another number is worse than covering a box. */
const NUMBER_WEIGHT = 4;

const DRAW = `async function (picture, boxes, numbers) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const paper = canvas.getContext("2d");
  paper.drawImage(image, 0, 0);
  paper.strokeStyle = "rgb(255 120 0)";
  paper.lineWidth = 2;
  for (const box of boxes) {
    const [left, top] = [Math.round(box.x), Math.round(box.y)];
    const [right, bottom] = [Math.round(box.x + box.width), Math.round(box.y + box.height)];
    paper.strokeRect(left + 1, top + 1, right - left - 2, bottom - top - 2);
  }
  paper.font = "bold 12px monospace";
  paper.textBaseline = "middle";
  for (const { number, x, y, width, height } of numbers) {
    paper.fillStyle = "rgb(255 214 0)";
    paper.fillRect(x, y, width, height);
    paper.fillStyle = "black";
    paper.fillText(String(number), x + ${GAP_PX / 2}, y + height / 2 + 1);
  }
  const drawn = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  let text = "";
  for (const byte of drawn) text += String.fromCharCode(byte);
  return btoa(text);
}`;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Numbered extends Area {
  readonly number: number;
}

type Size = Pick<Area, "width" | "height">;

interface Drawing {
  readonly picture: Buffer;
  readonly size: Size;
  readonly boxes: readonly Numbered[];
}

export function drawLabels(page: Page, { picture, size, boxes }: Drawing): Promise<Buffer> {
  return withDevTools(page, async (session) => {
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId } = await session.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: WORLD,
    });
    const values = [picture.toString("base64"), boxes, placeNumbers(boxes, size)];
    const { result, exceptionDetails } = await session.send("Runtime.callFunctionOn", {
      functionDeclaration: DRAW,
      executionContextId,
      arguments: values.map((value) => ({ value })),
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new ToolError("internal", "The browser could not draw the labels.");
    return Buffer.from(String(result.value), "base64");
  });
}

/** Each number where it covers the fewest other boxes and numbers. */
export function placeNumbers(boxes: readonly Numbered[], picture: Size): readonly Numbered[] {
  const placed: Numbered[] = [];
  for (const box of boxes) {
    const width = String(box.number).length * DIGIT_PX + GAP_PX;
    // A card is covered by the number of its button anyway.
    const others = boxes.filter((one) => one !== box && overlap(one, box) < box.width * box.height);
    const costOf = (area: Area) => sum(others, area) + sum(placed, area) * NUMBER_WEIGHT;
    const places = listPlaces(box, { width, height: NUMBER_PX }).map((area) => ({
      ...{ width, height: NUMBER_PX, number: box.number },
      x: Math.max(0, Math.min(area.x, picture.width - width)),
      y: Math.max(0, Math.min(area.y, picture.height - NUMBER_PX)),
    }));
    const costs = places.map(costOf);
    const best = places[costs.indexOf(Math.min(...costs))];
    if (best) placed.push(best);
  }
  return placed;
}

/** Around the box, then inside it. */
function listPlaces(box: Area, size: Size): readonly Pick<Area, "x" | "y">[] {
  const [left, top] = [Math.round(box.x), Math.round(box.y)];
  const [right, bottom] = [Math.round(box.x + box.width), Math.round(box.y + box.height)];
  return [
    { x: left, y: top - size.height },
    { x: left - size.width, y: top },
    { x: right, y: top },
    { x: left, y: bottom },
    { x: left, y: top },
  ];
}

function sum(areas: readonly Area[], area: Area): number {
  return areas.reduce((all, other) => all + overlap(other, area), 0);
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
