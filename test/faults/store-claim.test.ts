// One owner per state folder, among real processes: who comes second is told who has it, and the
// folder of an owner that died is free.

import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../../src/drivers/clock.js";
import { claimStateFolder } from "../../src/drivers/store/index.js";
import { type Role, startRole, useProgram } from "../contract/store/processes.js";

const MAX_REFUSAL_MS = 10_000;
const CLAIMANTS = 6;

const entry = fileURLToPath(new URL("./store-claim-program.ts", import.meta.url));
const program = useProgram(
  `import { claim } from ${JSON.stringify(entry)}; await claim(process.argv.slice(2));`,
);
const clock = createSystemClock();

let folder: string;
let roles: Role[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "store-claim-")), "state");
  roles = [];
});

afterEach(async () => {
  for (const { child, end } of roles) {
    child.kill("SIGKILL");
    await end.catch(() => undefined);
  }
  rmSync(join(folder, ".."), { recursive: true, force: true });
});

function startClaimant(name: string): Role {
  const role = startRole([program(), folder, name]);
  roles.push(role);
  return role;
}

/** What a claimant answers to "go". */
async function answerOf(role: Role): Promise<string> {
  await role.said(1);
  role.tell("go");
  await role.said(2);
  return role.lines()[1] ?? "";
}

async function killRole(role: Role): Promise<void> {
  role.child.kill("SIGKILL");
  await role.end;
}

const refusalIn = (answer: string) => JSON.parse(answer.replace(/^refused /, ""));

describe("one owner of a state folder", () => {
  it("tells the second process who has it, since when, and at once", async () => {
    const first = startClaimant("clawtools gateway");
    expect(await answerOf(first)).toBe(`held ${first.child.pid}`);
    const refusal = refusalIn(await answerOf(startClaimant("second")));
    expect(refusal).toMatchObject({
      code: "conflict",
      reason: "state_held",
      details: { pid: first.child.pid, program: "clawtools gateway" },
    });
    expect(refusal.message).toContain(`"clawtools gateway" (process ${first.child.pid}, since 2`);
    expect(Math.abs(Date.now() - refusal.details.sinceMs)).toBeLessThan(60_000);
    expect(refusal.tookMs).toBeLessThan(MAX_REFUSAL_MS);
  });

  it("is free again when the owner gives it back", async () => {
    const first = startClaimant("first");
    await answerOf(first);
    first.tell("release");
    await first.end;
    expect(await answerOf(startClaimant("second"))).toMatch(/^held /);
  });

  it("is free again when the owner was killed, however often", async () => {
    for (let round = 0; round < 5; round++) {
      const owner = startClaimant(`owner ${round}`);
      expect(await answerOf(owner)).toMatch(/^held /);
      await killRole(owner);
    }
  });

  it("goes to exactly one of many processes that want it at once, also after a kill", async () => {
    for (let round = 0; round < 3; round++) {
      const claimants = Array.from({ length: CLAIMANTS }, (_, index) =>
        startClaimant(`claimant ${index}`),
      );
      await Promise.all(claimants.map((role) => role.said(1)));
      for (const role of claimants) role.tell("go");
      await Promise.all(claimants.map((role) => role.said(2)));
      const held = claimants.filter((role) => role.lines()[1]?.startsWith("held "));
      expect(held).toHaveLength(1);
      const refused = claimants.filter((role) => role.lines()[1]?.startsWith("refused "));
      expect(refused).toHaveLength(CLAIMANTS - 1);
      for (const role of refused) {
        const { reason, details, tookMs } = refusalIn(role.lines()[1] ?? "");
        expect(reason).toBe("state_held");
        expect(details.pid).toBe(held[0]?.child.pid);
        expect(tookMs).toBeLessThan(MAX_REFUSAL_MS);
      }
      for (const role of claimants) await killRole(role);
    }
  });

  it("is not held by a name that was left behind, also when its pid was given again", async () => {
    const { release } = await claimStateFolder({ folder, program: "maker", clock });
    await release();
    // The test's own process has this pid, but another start.
    const mark = `${process.pid}-b00000000-00000000-1`;
    const owner = { mark, pid: process.pid, program: "ghost", sinceMs: 1 };
    writeFileSync(join(folder, "owner.json"), JSON.stringify(owner));
    const again = await claimStateFolder({ folder, program: "test", clock });
    expect(readFileSync(join(folder, "owner.json"), "utf8")).toContain('"program":"test"');
    await again.release();
  });

  it("is held once in a process too, and is given back once", async () => {
    const claim = { folder, program: "test", clock };
    const { release } = await claimStateFolder(claim);
    await expect(claimStateFolder(claim)).rejects.toMatchObject({ reason: "state_held" });
    await release();
    await release();
    const again = await claimStateFolder(claim);
    await again.release();
  });

  it("leaves no listener behind, and is private to its user", async () => {
    const before = process.listenerCount("exit");
    const { release } = await claimStateFolder({ folder, program: "test", clock });
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await release();
    expect(process.listenerCount("exit")).toBe(before);
    expect(readdirSync(folder)).toEqual(["owner.lock"]);
  });

  it("ends with a process that just exits", async () => {
    const owner = startClaimant("owner");
    await answerOf(owner);
    owner.child.kill("SIGTERM");
    await once(owner.child, "close");
    expect(await answerOf(startClaimant("next"))).toMatch(/^held /);
  });
});
