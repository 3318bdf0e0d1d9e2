// The door of a browser that is kept open: it is said to be there when it can be knocked at.

import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readLine } from "./message.js";
import { serveDaemon } from "./serve.js";

it("a browser that is said to be kept open answers whoever asks at that moment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "daemon-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "s");
  const { signal } = new AbortController();
  let line: Promise<string | undefined> | undefined;
  await serveDaemon({
    path,
    signal,
    onOpen: () => {
      const socket = connect(path);
      line = readLine(socket);
      socket.write('{"stop":true}\n');
    },
    answer: () => Promise.reject(new Error("nobody calls")),
  });
  expect(await line).toContain("The browser ends.");
});
