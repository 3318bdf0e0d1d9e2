// The streams of this process, for a server that its client has started. The only place here that
// touches the process.

import process from "node:process";
import type { StdioStreams } from "./serve-stdio.js";

export function ownStreams(): StdioStreams {
  return { input: process.stdin, output: process.stdout };
}
