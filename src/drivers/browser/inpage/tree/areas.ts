// Links in image maps have no boxes: they lie where their picture is.

import {
  attributeOf,
  closestOf,
  isMatch,
  isTree,
  page,
  rectsOf,
  rootOf,
  tagOf,
  tree,
} from "./clobbered.js";

/** The picture on which an area is, when it is one. */
export function pictureOf(element: Element): Element | undefined {
  if (tagOf(element) !== "area") return undefined;
  const map = closestOf(element, "map");
  const name = map && (attributeOf(map, "name") ?? attributeOf(map, "id"));
  if (!name) return undefined;
  const root = rootOf(element);
  const pictures = isTree(root) ? tree.findAll(root, "img[usemap]") : page.findAll("img[usemap]");
  return [...pictures].find((each) => isMatch(each, `[usemap="#${CSS.escape(name)}"]`));
}

/** undefined: it has no place of its own, as `default` has none. */
export function boxOfArea(area: Element, picture: Element): DOMRect | undefined {
  const [box] = rectsOf(picture);
  const numbers = (attributeOf(area, "coords") ?? "").split(",").map(Number);
  const shape = (attributeOf(area, "shape") ?? "rect").toLowerCase();
  if (!box) return undefined;
  if (shape === "default") return box;
  const [x = 0, y = 0, radius = 0] = numbers;
  const isCircle = shape.startsWith("circ");
  const across = isCircle ? [x - radius, x + radius] : numbers.filter((_, at) => at % 2 === 0);
  const down = isCircle ? [y - radius, y + radius] : numbers.filter((_, at) => at % 2 === 1);
  if (across.length < 2 || down.length < 2 || numbers.some(Number.isNaN)) return undefined;
  const left = Math.min(...across);
  const top = Math.min(...down);
  return new DOMRect(
    box.x + left,
    box.y + top,
    Math.max(...across) - left,
    Math.max(...down) - top,
  );
}
