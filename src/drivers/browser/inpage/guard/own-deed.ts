// What the browser does by itself for a click, behind the listeners of the page, and that can be held
// back: it follows a link, sends a form, asks for files, clicks the field of a label. A checkbox has its
// tick before anybody hears of the click.

import { isInput } from "../tree/clobbered.js";

const SENDING: readonly string[] = ["submit", "image", "reset", "file"];

export function hasOwnDeed(path: readonly EventTarget[]): boolean {
  return path.some(
    (target) =>
      (target instanceof HTMLAnchorElement && target.href !== "") ||
      (target instanceof HTMLButtonElement && target.form !== null && target.type !== "button") ||
      (isInput(target) && SENDING.includes(target.type)) ||
      (target instanceof HTMLLabelElement && target.control !== null),
  );
}
