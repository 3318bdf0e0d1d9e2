// `state backup` while a gateway writes, and what a restored folder holds.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSystemClock, createSystemRandom } from "../../src/drivers/clock.js";
import { createSqliteStore } from "../../src/drivers/store/index.js";
import { startGateway } from "../gateway/start-gateway.js";
import { createSandbox } from "./run-cli.js";

describe("clawtools state backup", () => {
  it("takes one moment of a store that is written to, with config and secrets, for this user alone", async () => {
    const { runHere, folder, configFile } = await createSandbox({
      config: '{\n  // Mine.\n  "$include": "./more.json"\n}\n',
    });
    writeFileSync(
      join(folder, ".clawtools/more.json"),
      '{ "gateway": { "tls": { "enabled": true } } }',
    );
    const stateDir = join(folder, ".clawtools");
    const place = { path: configFile, env: {}, homeDir: folder, cwd: folder };
    const { gateway, token } = await startGateway({ stateDir, configPlace: place });
    const { store } = gateway.services;
    let isDone = false;
    const pair = (value: number) =>
      ["a", "b"].map((key) => ({ kind: "kv.put" as const, space: "test", key, value }));
    await store.transact(pair(0));
    const writing = (async () => {
      for (let value = 1; !isDone; value++) await store.transact(pair(value));
    })();
    const file = join(folder, "backup.tar.gz");
    const run = await runHere("state", "backup", file, "--json");
    isDone = true;
    await writing;
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await runHere("state", "backup", file);
    expect(again).toMatchObject({ exitCode: 6, stderr: expect.stringContaining("already exists") });

    const restored = join(folder, "restored");
    mkdirSync(restored);
    execFileSync("tar", ["-xzf", file, "-C", restored]);
    for (const name of ["clawtools.json", "more.json"]) {
      const before = readFileSync(join(stateDir, name), "utf8");
      expect(readFileSync(join(restored, name), "utf8")).toBe(before);
    }
    expect(readFileSync(join(restored, "gateway-token"), "utf8").trim()).toBe(token);
    expect(statSync(join(restored, "tls/key.pem")).mode & 0o777).toBe(0o600);
    const ports = { clock: createSystemClock(), random: createSystemRandom() };
    const copy = createSqliteStore({ folder: restored, ...ports });
    const [a, b] = await Promise.all(["a", "b"].map((key) => copy.kv.get({ space: "test", key })));
    await copy.close();
    expect(a?.value).toEqual(expect.any(Number));
    expect(b?.value).toBe(a?.value);
  });

  it("says which state folder does not exist", async () => {
    const { runHere, folder } = await createSandbox();
    const run = await runHere("state", "backup", "--state-dir", join(folder, "none"));
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toContain('none" does not exist. Choose one with --state-dir.');
  });
});
