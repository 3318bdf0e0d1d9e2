// Pairs of sockets made ahead: bytes go through, nothing is left in the folder for temporary files.

import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createStreamPairs, type StreamPairs } from "./stream-pairs.js";

const opened: StreamPairs[] = [];
afterEach(() => {
  for (const pairs of opened.splice(0)) pairs.close();
});

function open(): StreamPairs {
  const pairs = createStreamPairs();
  opened.push(pairs);
  return pairs;
}

describe("a pair of sockets", () => {
  it("gives what is written at the far end, piece by piece, until its end", async () => {
    const { near, far, read } = await open().take();
    let text = "";
    read((bytes) => {
      text += Buffer.from(bytes).toString();
      return true;
    });
    far.write("one ");
    far.end("two");
    await once(near, "close");
    expect(text).toBe("one two");
  });

  it("is each given once, however many are asked for at the same time", async () => {
    const pairs = open();
    const taken = await Promise.all(Array.from({ length: 50 }, () => pairs.take()));
    expect(new Set(taken.map(({ near }) => near)).size).toBe(50);
    const texts = await Promise.all(
      taken.map(async ({ near, far, read }, index) => {
        let text = "";
        read((bytes) => {
          text += Buffer.from(bytes).toString();
          return true;
        });
        far.end(String(index));
        await once(near, "close");
        return text;
      }),
    );
    expect(texts).toEqual(taken.map((_, index) => String(index)));
  });

  it("leaves no folder behind, and removes that of a process that was killed", async () => {
    const dead = join(tmpdir(), "clawtools-io-4194999-aB3dE6");
    mkdirSync(dead, { recursive: true });
    const pairs = open();
    const { near, far } = await pairs.take();
    near.destroy();
    far.destroy();
    pairs.makeAhead();
    const left = () =>
      readdirSync(tmpdir()).filter((name) => name.startsWith(`clawtools-io-${process.pid}-`));
    await expect.poll(left).toEqual([]);
    await expect.poll(() => existsSync(dead)).toBe(false);
  });
});
