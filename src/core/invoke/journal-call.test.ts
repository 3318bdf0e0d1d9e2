// A call that changes files only begins while its beginning is written down, and changes none before.

import { describe, expect, it, vi } from "vitest";
import { createCallable, createDoor, says } from "../../../test/contract/invoke-door.js";
import { ToolError } from "../errors.js";
import type { Journal } from "../ports/records.js";
import type { Callable } from "./callable.js";

function createGate() {
  let open: () => void = () => undefined;
  let refuse: (error: unknown) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve;
    refuse = reject;
  });
  return { promise, open, refuse };
}

function createSlowJournal() {
  const written = createGate();
  const ends: string[] = [];
  const journal: Journal = {
    async intend() {
      await written.promise;
      return async ({ outcome }) => void ends.push(outcome);
    },
  };
  return { journal, ends, written };
}

describe("a call that changes files only", () => {
  it("begins at once, and changes something when its beginning is written", async () => {
    const { journal, ends, written } = createSlowJournal();
    const steps: string[] = [];
    const run: Callable["run"] = async ({ begun }) => {
      steps.push("begun");
      await begun;
      steps.push("changed");
      return says("said");
    };
    const { call } = createDoor(createCallable({ filesOnly: true, run }), { journal });
    const answer = call();
    await vi.waitFor(() => expect(steps).toEqual(["begun"]));
    written.open();
    expect((await answer).isError).toBe(false);
    expect([steps, ends]).toEqual([["begun", "changed"], ["ok"]]);
  });

  it("answers with what keeps its beginning from being written, and changes nothing", async () => {
    const { journal, written } = createSlowJournal();
    const changed = vi.fn();
    const run: Callable["run"] = async ({ begun }) => {
      await begun;
      changed();
      return says("said");
    };
    const { call, rows } = createDoor(createCallable({ filesOnly: true, run }), { journal });
    const answer = call();
    written.refuse(new ToolError("unavailable", "No journal.", { reason: "no_journal" }));
    expect(await answer).toMatchObject({ isError: true, details: { reason: "no_journal" } });
    expect(changed).not.toHaveBeenCalled();
    expect(rows).toMatchObject([{ stage: "budget", reason: "no_journal" }]);
  });

  it("has no answer before its beginning is written, also when it fails sooner", async () => {
    const { journal, ends, written } = createSlowJournal();
    const run = vi.fn<Callable["run"]>(() => Promise.reject(new Error("no such file")));
    const { call } = createDoor(createCallable({ filesOnly: true, run }), { journal });
    const answered = vi.fn();
    const answer = call().finally(answered);
    await vi.waitFor(() => expect(run).toHaveBeenCalled());
    expect(answered).not.toHaveBeenCalled();
    written.open();
    expect((await answer).isError).toBe(true);
    expect(ends).toEqual(["error"]);
  });
});

describe("any other call", () => {
  it("begins when its beginning is written", async () => {
    const { journal, written } = createSlowJournal();
    const run = vi.fn<Callable["run"]>(async () => says("said"));
    const { call } = createDoor(createCallable({ run }), { journal });
    const answer = call();
    await new Promise((resolve) => setImmediate(resolve));
    expect(run).not.toHaveBeenCalled();
    written.open();
    expect((await answer).isError).toBe(false);
    expect(run).toHaveBeenCalledOnce();
  });
});
