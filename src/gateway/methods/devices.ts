// Methods about paired devices, the requests of others, and device tokens.

import { t } from "../../core/index.js";
import type { Device, RoleGrant } from "../devices/devices.js";
import { defineMethod, type GatewayServices } from "../services.js";

const deviceId = () => t.string({ description: "Device.", minLength: 1, maxLength: 128 });
const requestId = () => t.string({ description: "Pairing request.", minLength: 1, maxLength: 128 });
const role = () => t.string({ description: "`operator` or `node`.", minLength: 1 });
const MAX_LABEL_CHARS = 64;

const list = defineMethod({
  name: "device.pair.list",
  params: t.object({}),
  scope: "operator.pairing",
  help: "Paired devices, and those that wait for approval.",
  async run({ services }) {
    const { pending, paired } = await services.devices.list();
    return {
      pending: pending.map((request) => ({ ...request, roles: [request.role] })),
      paired: paired.map(showDevice),
    };
  },
});

const approve = defineMethod({
  name: "device.pair.approve",
  params: t.object({ requestId: requestId() }),
  scope: "operator.pairing",
  help: "Approves a device; the approver must hold the scopes it gets.",
  async run({ services, principal }, params) {
    const { request, device } = await services.devices.approve(params.requestId, principal);
    services.events.emit("device.pair.resolved", {
      requestId: request.requestId,
      deviceId: device.deviceId,
      decision: "approved",
      ts: Math.floor(services.clock.now()),
    });
    return { requestId: request.requestId, device: showDevice(device) };
  },
});

const reject = defineMethod({
  name: "device.pair.reject",
  params: t.object({ requestId: requestId() }),
  scope: "operator.pairing",
  help: "Rejects a device that waits for approval.",
  async run({ services }, params) {
    const request = await services.devices.reject(params.requestId);
    const facts = { requestId: request.requestId, deviceId: request.deviceId };
    const ts = Math.floor(services.clock.now());
    services.events.emit("device.pair.resolved", { ...facts, decision: "rejected", ts });
    return facts;
  },
});

const remove = defineMethod({
  name: "device.pair.remove",
  params: t.object({ deviceId: deviceId() }),
  scope: "operator.pairing",
  help: "Forgets a device and ends its connections.",
  async run({ services }, params) {
    await services.devices.remove(params.deviceId);
    endAccess(services, params.deviceId);
    return { deviceId: params.deviceId };
  },
});

const rename = defineMethod({
  name: "device.pair.rename",
  params: t.object({
    deviceId: deviceId(),
    label: t.string({ description: "Name for people.", minLength: 1, maxLength: MAX_LABEL_CHARS }),
  }),
  scope: "operator.pairing",
  help: "Names a device.",
  run: async ({ services }, params) =>
    showDevice(await services.devices.rename(params.deviceId, params.label)),
});

const rotate = defineMethod({
  name: "device.token.rotate",
  params: t.object({
    deviceId: deviceId(),
    role: role(),
    scopes: t.optional(t.array(t.string({ minLength: 1 }), { description: "Fewer than before." })),
  }),
  scope: "operator.pairing",
  help: "Gives a device a new token and ends its connections; the old token is refused.",
  async run({ services, principal }, params) {
    const { grant, token } = await services.devices.rotate(params);
    const isOwn = principal.deviceId === params.deviceId;
    // The device itself gets this answer first.
    services.clock.after(0, () => endAccess(services, params.deviceId, params.role));
    return {
      deviceId: params.deviceId,
      role: params.role,
      scopes: grant.scopes,
      rotatedAtMs: grant.rotatedAtMs ?? 0,
      // Only the device itself may learn its token.
      ...(isOwn ? { token, tokenDelivery: "in-band" } : { tokenDelivery: "withheld-cross-device" }),
    };
  },
});

const revoke = defineMethod({
  name: "device.token.revoke",
  params: t.object({ deviceId: deviceId(), role: role() }),
  scope: "operator.pairing",
  help: "Revokes the token of a device and ends its connections.",
  async run({ services }, params) {
    await services.devices.revoke(params);
    endAccess(services, params.deviceId, params.role);
    return { ...params, revokedAtMs: Math.floor(services.clock.now()) };
  },
});

export const DEVICE_METHODS = [list, approve, reject, remove, rename, rotate, revoke] as const;

function endAccess({ connections, routes }: GatewayServices, deviceId: string, role?: string) {
  connections.closeDevice(deviceId, role);
  if (role === undefined || role === "operator") routes.closeDevice(deviceId);
}

function showDevice({ grants, ...device }: Device) {
  const entries = Object.entries(grants).filter((entry): entry is [string, RoleGrant] =>
    Boolean(entry[1]),
  );
  const roles = entries.map(([name]) => name);
  return {
    ...device,
    role: roles[0],
    roles,
    scopes: [...new Set(entries.flatMap(([, grant]) => (grant.revokedAtMs ? [] : grant.scopes)))],
    tokens: entries.map(([name, { epoch: _epoch, ...grant }]) => ({ role: name, ...grant })),
  };
}
