// A call that changes files only is written down when it asks for that, and changes none before.

import { describe, expect, it, vi } from "vitest";
import { createCallable, createInvoker, says } from "../../../test/contract/create-invoker.js";
import { eventually } from "../../../test/fakes/eventually.js";
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
    const run: Callable["run"] = async ({ begin }) => {
      steps.push("begun");
      await begin?.();
      steps.push("changed");
      return says("said");
    };
    const { call } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    const answer = call();
    await eventually(() => expect(steps).toEqual(["begun"]));
    written.open();
    expect((await answer).isError).toBe(false);
    expect([steps, ends]).toEqual([["begun", "changed"], ["ok"]]);
  });

  it("answers with what keeps its beginning from being written, and changes nothing", async () => {
    const { journal, written } = createSlowJournal();
    const changed = vi.fn();
    const run: Callable["run"] = async ({ begin }) => {
      await begin?.();
      changed();
      return says("said");
    };
    const { call, rows } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    const answer = call();
    written.refuse(new ToolError("unavailable", "No journal.", { reason: "no_journal" }));
    expect(await answer).toMatchObject({ isError: true, details: { reason: "no_journal" } });
    expect(changed).not.toHaveBeenCalled();
    expect(rows).toMatchObject([{ stage: "budget", reason: "no_journal" }]);
  });

  it("is written down when it asks for that, with the time at which it was made", async () => {
    const intended: number[] = [];
    const journal: Journal = {
      async intend({ atMs }) {
        intended.push(atMs);
        return async () => undefined;
      },
    };
    const run: Callable["run"] = async ({ begin }) => {
      clock.advance(1_000);
      expect(intended).toEqual([]);
      await Promise.all([begin?.(), begin?.()]);
      expect(intended).toHaveLength(1);
      return says("said");
    };
    const { call, clock } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    const madeAtMs = clock.now();
    expect((await call()).isError).toBe(false);
    expect(intended).toEqual([madeAtMs]);
  });

  it("is written down with its end when it never asked", async () => {
    const { journal, ends, written } = createSlowJournal();
    written.open();
    const run: Callable["run"] = async () => says("nothing to change");
    const { call } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    expect((await call()).isError).toBe(false);
    expect(ends).toEqual(["ok"]);
  });

  it("is interrupted when it was stopped before it asked, and may change nothing any more", async () => {
    const { journal, ends, written } = createSlowJournal();
    written.open();
    const stop = new AbortController();
    let asked: Promise<unknown> | undefined;
    const run: Callable["run"] = async ({ begin }) => {
      stop.abort();
      await undefined;
      asked = begin?.();
      await asked;
      return says("said");
    };
    const { call } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    await expect(call({ signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(ends).toEqual(["interrupted"]);
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
  });

  it("has no answer before its beginning is written, also when it fails sooner", async () => {
    const { journal, ends, written } = createSlowJournal();
    const run = vi.fn<Callable["run"]>(() => Promise.reject(new Error("no such file")));
    const { call } = createInvoker(createCallable({ filesOnly: true, run }), { journal });
    const answered = vi.fn();
    const answer = call().finally(answered);
    await eventually(() => expect(run).toHaveBeenCalled());
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
    const { call } = createInvoker(createCallable({ run }), { journal });
    const answer = call();
    await new Promise((resolve) => setImmediate(resolve));
    expect(run).not.toHaveBeenCalled();
    written.open();
    expect((await answer).isError).toBe(false);
    expect(run).toHaveBeenCalledOnce();
  });
});
