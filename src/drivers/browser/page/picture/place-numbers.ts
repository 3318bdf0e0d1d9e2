// Where the number of each box is: next to it, where it covers the least of other boxes, of other
// numbers and of what is written there.

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlacedNumber extends Area {
  readonly number: number;
}

interface Paper {
  readonly picture: Size;
  readonly sizeOf: (number: number) => Size;
  /** Pixels in it that are not its ground. */
  readonly inkOf: (area: Area) => number;
}

/** Covering another number hides which is which. */
const NUMBER_WEIGHT = 4;
/** Its own box may be covered, but only where nothing else is free. */
const OWN_WEIGHT = 0.5;

export function placeNumbers(
  boxes: readonly (Area & { readonly number: number })[],
  { picture, sizeOf, inkOf }: Paper,
): readonly PlacedNumber[] {
  const placed: PlacedNumber[] = [];
  for (const box of boxes) {
    const size = sizeOf(box.number);
    const others = boxes.filter((other) => other !== box && !contains(other, box));
    const cost = (area: Area) =>
      sum(others, area) +
      sum(placed, area) * NUMBER_WEIGHT +
      overlap(box, area) * OWN_WEIGHT +
      inkOf(area);
    let best: Area | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const area of listPlaces(box, size).map((place) => keepInside(place, picture))) {
      const found = cost(area);
      if (found >= least) continue;
      best = area;
      least = found;
    }
    if (best) placed.push({ ...best, number: box.number });
  }
  return placed;
}

/** The best first, for where several are as good. */
function listPlaces(box: Area, size: Size): Area[] {
  const left = Math.round(box.x);
  const top = Math.round(box.y);
  const right = Math.round(box.x + box.width);
  const bottom = Math.round(box.y + box.height);
  const places = [
    [left, top - size.height],
    [left - size.width, top],
    [right - size.width, top - size.height],
    [right, top],
    [left, bottom],
    [left - size.width, top - size.height],
    [right, bottom - size.height],
    [left, top],
    [right - size.width, top],
  ] as const;
  return places.map(([x, y]) => ({ x, y, ...size }));
}

function keepInside(area: Area, picture: Size): Area {
  const x = Math.max(0, Math.min(area.x, picture.width - area.width));
  const y = Math.max(0, Math.min(area.y, picture.height - area.height));
  return { ...area, x, y };
}

/** A card around a button is covered by the number of the button in any case. */
function contains(outer: Area, inner: Area): boolean {
  return overlap(outer, inner) >= inner.width * inner.height;
}

function sum(areas: readonly Area[], area: Area): number {
  return areas.reduce((all, other) => all + overlap(other, area), 0);
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}
