// What the gateway answers fits the published schema of the protocol, method by method.

import { describe, expect, it } from "vitest";
import { makeDevice } from "./client.js";
import { assertFits } from "./protocol-oracle.js";
import { startGateway } from "./start-gateway.js";

describe("the answer of", () => {
  it.each<[string, unknown, string]>([
    ["agents.list", {}, "AgentsListResult"],
    ["tools.catalog", {}, "ToolsCatalogResult"],
    ["tools.effective", { sessionKey: "main" }, "ToolsEffectiveResult"],
    ["tools.invoke", { name: "read", args: { path: "missing.txt" } }, "ToolsInvokeResult"],
    ["logs.tail", { limit: 10, maxBytes: 250_000 }, "LogsTailResult"],
    ["config.schema", {}, "ConfigSchemaResponse"],
    ["exec.approvals.get", {}, "ExecApprovalsSnapshot"],
  ])("%s fits the protocol", async (method, params, definition) => {
    const { operator } = await startGateway();
    const client = await operator();
    const answer = await client.request(method, params);
    expect(answer.error).toBeUndefined();
    assertFits("ResponseFrame", answer);
    assertFits(definition, answer.payload);
  });

  it("a rotated token fits the protocol, and is given to its own device alone", async () => {
    const { operator } = await startGateway();
    const device = makeDevice(7);
    const own = await operator({ device, scopes: ["operator.pairing"] });
    const params = { deviceId: device.id, role: "operator" };
    const rotated = await own.request("device.token.rotate", params);
    assertFits("DeviceTokenRotateResult", rotated.payload);
    expect(rotated.payload).toMatchObject({ tokenDelivery: "in-band" });
    const other = await operator();
    const withheld = await other.request("device.token.rotate", params);
    assertFits("DeviceTokenRotateResult", withheld.payload);
    expect(withheld.payload).not.toHaveProperty("token");
  });

  it("system-presence is a list of entries, and health fits the snapshot", async () => {
    const { operator } = await startGateway();
    const client = await operator();
    const presence = await client.request("system-presence");
    for (const entry of presence.payload as unknown[]) assertFits("PresenceEntry", entry);
    const health = await client.request("health");
    assertFits("Snapshot/properties/health", health.payload);
    expect((await client.request("last-heartbeat")).payload).toBeNull();
  });
});

describe("the table of methods", () => {
  it("needs for each method the scope that it declares, and no less", async () => {
    const { gateway } = await startGateway();
    const scopes = ["operator.read", "operator.write", "operator.approvals", "operator.pairing"];
    for (const { name, scope } of gateway.methods) {
      for (const held of scopes) {
        const covers =
          scope === "none" ||
          scope === held ||
          (scope === "operator.read" && held === "operator.write");
        if (covers) continue;
        const principal = { role: "operator", scopes: [held], connId: "test" } as const;
        await expect(gateway.call(name, {}, { principal }), `${name} with ${held}`).rejects.toThrow(
          scope === "node" ? "unauthorized role" : `missing scope: ${scope}`,
        );
      }
    }
  });
});
