// What a store holds that several processes have open.

import { expect, it } from "vitest";
import { createSystemClock } from "../../../src/drivers/clock.js";
import type { StoreDriver, StorePlace } from "./driver.js";
import { startRole, storeProgram, useProgram } from "./processes.js";

const PROCESSES = 3;

/** What each of several processes said after "ready"; they begin together. */
async function runTogether(
  args: readonly string[],
  optionsOf: (index: number) => readonly string[],
): Promise<readonly (readonly string[])[]> {
  const roles = Array.from({ length: PROCESSES }, (_, index) =>
    startRole([...args, ...optionsOf(index)]),
  );
  try {
    await Promise.all(roles.map((role) => role.said(1)));
    for (const role of roles) role.tell("go");
    return (await Promise.all(roles.map(({ end }) => end))).map((lines) => lines.slice(1));
  } finally {
    for (const { child } of roles) child.kill("SIGKILL");
  }
}

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const sortNumbers = (texts: readonly string[]) =>
  texts.map(Number).sort((left, right) => left - right);

export function describeProcesses(driver: StoreDriver, module: string): void {
  const program = useProgram(storeProgram(module));

  async function withPlace(work: (place: StorePlace) => Promise<void>): Promise<void> {
    const place = driver.createPlace();
    try {
      await work(place);
    } finally {
      place.remove();
    }
  }

  it("loses no record and mixes none when several processes append at once", () =>
    withPlace(async (place) => {
      const count = 150;
      const said = await runTogether([program(), "append", place.path], (index) => [
        `writer ${index}`,
        `${count}`,
      ]);
      const total = count * PROCESSES;
      expect(sortNumbers(said.flat())).toEqual(numbersUpTo(total).map((index) => index + 1));
      const store = place.open(createSystemClock());
      const { records } = await store.log.read({ stream: "shared", limit: 1_000 });
      await store.close();
      expect(records.map(({ sequence }) => sequence)).toEqual(
        numbersUpTo(total).map((index) => index + 1),
      );
      for (const writer of numbersUpTo(PROCESSES)) {
        const own = records.filter(
          ({ value }) => Reflect.get(Object(value), "tag") === `writer ${writer}`,
        );
        expect(own.map(({ value }) => Reflect.get(Object(value), "index"))).toEqual(
          numbersUpTo(count),
        );
      }
    }));

  it("lets exactly one process win each round of a race for a key", () =>
    withPlace(async (place) => {
      const rounds = 150;
      const said = await runTogether([program(), "race", place.path], () => [`${rounds}`]);
      expect(sortNumbers(said.flat())).toEqual(numbersUpTo(rounds));
    }));

  it("gives each entry of a queue to one process", () =>
    withPlace(async (place) => {
      const store = place.open(createSystemClock());
      const jobs = numbersUpTo(150);
      await Promise.all(jobs.map((value) => store.queue.push({ queue: "jobs", value })));
      const said = await runTogether([program(), "consume", place.path], () => []);
      expect(sortNumbers(said.flat())).toEqual(jobs);
      expect(await store.queue.claim({ queue: "jobs", visibilityMs: 1 })).toEqual([]);
      await store.close();
    }));

  it("lets only the holder of a lease work, each under a larger token", () =>
    withPlace(async (place) => {
      const count = 30;
      const said = await runTogether([program(), "count", place.path], () => [`${count}`]);
      const store = place.open(createSystemClock());
      const total = await store.kv.get({ space: "count", key: "total" });
      await store.close();
      expect(total?.value).toBe(count * PROCESSES);
      expect(new Set(said.flat()).size).toBe(count * PROCESSES);
      for (const tokens of said) expect(sortNumbers(tokens)).toEqual(tokens.map(Number));
    }));
}
