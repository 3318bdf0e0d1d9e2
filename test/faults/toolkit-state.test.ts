// Toolkits in real processes: two on one state folder, one that is killed, one whose home cannot be
// written, one without SQLite.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findOwnMounts } from "../contract/store/full-disk-cases.js";
import { bundleProgram, type Role, startRole, useProgram } from "../contract/store/processes.js";

const entry = fileURLToPath(new URL("./toolkit-program.ts", import.meta.url));
const contents = `import { obey } from ${JSON.stringify(entry)}; await obey(process.argv.slice(2));`;
const program = useProgram(contents);

interface Obedient extends Role {
  /** What it answered. */
  ask(...words: string[]): Promise<unknown>;
  notices(): string[];
}

let place: string;
let root: string;
let state: string;
let roles: Role[];

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "toolkit-state-")));
  [root, state] = [join(place, "root"), join(place, "state")];
  mkdirSync(root);
  roles = [];
});

afterEach(async () => {
  for (const { child, end } of roles) {
    child.kill("SIGKILL");
    await end.catch(() => undefined);
  }
  rmSync(place, { recursive: true, force: true });
});

async function start({ file = program(), before = [] as readonly string[] } = {}) {
  const role = startRole([file, root, state], { before });
  roles.push(role);
  await role.said(1);
  const answers = () => role.lines().filter((line) => line.startsWith("answer "));
  const obedient: Obedient = {
    ...role,
    async ask(...words) {
      const count = answers().length;
      role.tell(JSON.stringify(words));
      for (let lines = role.lines().length + 1; answers().length === count; lines++) {
        await role.said(lines);
      }
      return JSON.parse(answers()[count]?.slice("answer ".length) ?? "");
    },
    notices: () => role.lines().filter((line) => line.startsWith("notice ")),
  };
  return obedient;
}

async function end(role: Role): Promise<void> {
  role.child.stdin?.end();
  await role.end;
}

const idsIn = (answer: unknown) => (Array.isArray(answer) ? answer.map(String) : []);
const text = (name: string) => readFileSync(join(root, name), "utf8");

describe("two processes on one state folder", () => {
  it("both keep a journal and a past, and either takes back what the other did", async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const work = [one, other].flatMap((role, who) =>
      [1, 2, 3, 4, 5].map((count) => [role, `${who}-${count}`] as const),
    );
    for (const [role, id] of work) expect(await role.ask("write", id, id, id)).toBe("written");
    const ids = work.map(([, id]) => id).sort();
    for (const role of [one, other]) {
      expect(idsIn(await role.ask("changes")).sort()).toEqual(ids);
      expect(await role.ask("interrupted")).toEqual([]);
    }
    await one.ask("undo", "1-3");
    await other.ask("undo", "0-2");
    expect([existsSync(join(root, "1-3")), existsSync(join(root, "0-2"))]).toEqual([false, false]);
    await Promise.all([end(one), end(other)]);
    expect([...one.notices(), ...other.notices()]).toEqual([]);
  });

  it("do not take the calls of the living for interrupted, and tell those of the dead once", async () => {
    const victim = await start();
    const living = await start();
    await victim.ask("write", "done", "a.txt", "a");
    await living.ask("write", "mine", "b.txt", "b");
    // Both are busy when the one is killed: a call is begun in each.
    for (const [role, name] of [
      [victim, "v"],
      [living, "l"],
    ] as const) {
      for (let count = 0; count < 200; count++) {
        role.tell(JSON.stringify(["write", `${name}-${count}`, `${name}.txt`, `${count}`]));
      }
    }
    await victim.said(10);
    victim.child.kill("SIGKILL");
    await victim.end;
    const next = await start();
    const told = idsIn(await next.ask("interrupted"));
    expect(told.length).toBeLessThanOrEqual(1);
    expect(next.notices()).toHaveLength(told.length);
    for (const id of told) expect(id).toMatch(/^v-/);
    const later = await start();
    expect(await later.ask("interrupted")).toEqual(told);
    expect(later.notices()).toEqual([]);
    await later.ask("undo", "done");
    expect(existsSync(join(root, "a.txt"))).toBe(false);
    await living.said(201);
    expect(living.notices()).toEqual([]);
  });
});

describe("a process that cannot keep state", () => {
  it("because its home cannot be written says so once, and does its calls", async () => {
    mkdirSync(state);
    const mount = 'mount -t tmpfs -o ro,size=1m none "$0" && exec "$@"';
    const role = await start({ before: [...findOwnMounts(), "sh", "-c", mount, state] });
    for (const content of ["1", "2"]) {
      expect(await role.ask("write", content, "a.txt", content)).toBe("written");
    }
    expect(await role.ask("undo", "2")).toMatchObject({ reason: "store_readonly" });
    await end(role);
    expect(text("a.txt")).toBe("2");
    expect(role.notices()).toEqual([expect.stringContaining("State cannot be kept")]);
  });

  it("because SQLite is not installed says what to install, once, and does its calls", async () => {
    const file = join(place, "program.mjs");
    await bundleProgram(file, contents);
    const role = await start({ file });
    for (const content of ["1", "2"]) {
      expect(await role.ask("write", content, "a.txt", content)).toBe("written");
    }
    await end(role);
    expect(text("a.txt")).toBe("2");
    expect(role.notices()).toEqual([expect.stringContaining("npm install @photostructure/sqlite")]);
    expect(existsSync(join(state, "state.db"))).toBe(false);
  });
});

describe("a process that is killed when the new content lies beside the file", () => {
  it("has not begun its call: the file is old, and nothing is told or left", async () => {
    const dying = await start();
    expect(await dying.ask("write", "first", "a.txt", "old")).toBe("written");
    // The beginning of the call and its undo record wait for this lock.
    const lock = new DatabaseSync(join(state, "state.db"));
    lock.exec("BEGIN IMMEDIATE");
    dying.tell(JSON.stringify(["write", "killed", "a.txt", "new content"]));
    await expect.poll(() => readdirSync(root).length).toBe(2);
    dying.child.kill("SIGKILL");
    await dying.end;
    lock.exec("ROLLBACK");
    lock.close();
    const next = await start();
    expect(await next.ask("changes")).toEqual(["first"]);
    expect([next.notices(), await next.ask("interrupted")]).toEqual([[], []]);
    expect([readdirSync(root), text("a.txt")]).toEqual([["a.txt"], "old"]);
    await end(next);
  });
});
