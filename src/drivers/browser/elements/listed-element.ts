// Rows of the code in pages as elements of the port.

import type { ListedElement } from "../../../core/index.js";
import type { Row, RowFlags } from "../inpage/protocol.js";
import { redactUrl } from "../policy/redact-url.js";
import { formatRef } from "./ref-spelling.js";

const FLAGS: RowFlags = { interactive: 1, isNew: 2, frame: 4 };

export function toListed(row: Row, depthAbove = 0): ListedElement {
  const [ref, depth, role, name, states, value, url, flags] = row;
  return {
    ...(ref > 0 ? { ref: formatRef(ref) } : {}),
    depth: depth + depthAbove,
    role,
    name,
    states: states === "" ? [] : states.split(" "),
    ...(value === null ? {} : { value }),
    ...(url === null ? {} : { url: redactUrl(url) }),
    isInteractive: (flags & FLAGS.interactive) !== 0,
    isNew: (flags & FLAGS.isNew) !== 0,
  };
}

export function isFrameRow(row: Row): boolean {
  return (row[7] & FLAGS.frame) !== 0;
}
