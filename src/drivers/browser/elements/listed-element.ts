// Turns rows of the page code into elements of the port.

import type { ListedElement } from "../../../core/browser.js";
import { redactUrl } from "../../../core/index.js";
import { ROW_FLAGS, type Row } from "../inpage/protocol.js";
import type { RefNames } from "./refs.js";

const NO_STATES: readonly string[] = [];
/** Addresses without any of these cannot hold a secret. */
const MAY_HOLD_SECRET = /[?#@]|[\w-]{16}|^data:|hooks\./iu;

type Draft = { -readonly [Key in keyof ListedElement]: ListedElement[Key] };

export type ToListed = (row: Row, depthAbove?: number) => ListedElement;

export function createToListed(names: Pick<RefNames, "nameOf">): ToListed {
  return ([ref, depth, role, name, states, value, url, flags], depthAbove = 0) => {
    const element: Draft = {
      depth: depth + depthAbove,
      role,
      name,
      states: states === "" ? NO_STATES : states.split(" "),
      isInteractive: (flags & ROW_FLAGS.interactive) !== 0,
      isNew: (flags & ROW_FLAGS.isNew) !== 0,
    };
    if (ref > 0) element.ref = names.nameOf(ref);
    if (value !== null) element.value = value;
    if (url !== null) element.url = MAY_HOLD_SECRET.test(url) ? redactUrl(url) : url;
    return element;
  };
}

export function isFrameRow(row: Row): boolean {
  return (row[7] & ROW_FLAGS.frame) !== 0;
}
