// Which values are never shown: those under a name that sounds like a secret, or that may carry one.

import type { KeyPath } from "../key-path.js";

const SECRET_NAME = /token|key|secret|passw|passphrase|credential|auth|cookie|header|^env$|url$/i;

export function isSecretPath(path: KeyPath): boolean {
  return path.some((step) => typeof step === "string" && SECRET_NAME.test(step));
}
