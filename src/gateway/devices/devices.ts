// Paired devices and the requests of those that want to be: kept in the store. A device token is
// derived from a key of the store, so that no token is stored and each stays the same until rotated.

import { createHmac } from "node:crypto";
import {
  type Clock,
  type KvEntry,
  type RandomSource,
  type Store,
  ToolError,
  ToolInputError,
} from "../../core/index.js";
import { isSameSecret } from "../../lib/http/request-guard.js";
import { readText } from "../../lib/read-field.js";
import { coversScope, type Principal } from "../../protocol/index.js";
import { retryRace } from "../../sessions/index.js";

const DEVICES = "gateway.devices";
const PENDING = "gateway.pairing";
const SECRETS = "gateway.secrets";
const TOKEN_KEY = "device-tokens";
const KEY_BYTES = 32;
const REQUEST_ID_BYTES = 16;
const PENDING_TTL_MS = 5 * 60_000;
const MAX_PENDING = 50;
const MAX_DEVICES = 1_000;

export type Role = "operator" | "node";

/** What a device says of itself, and where it came from. */
export interface DeviceFacts {
  readonly deviceId: string;
  readonly publicKey: string;
  readonly displayName?: string | undefined;
  readonly platform?: string | undefined;
  readonly deviceFamily?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientMode?: string | undefined;
  readonly remoteIp?: string | undefined;
}

export interface RoleGrant {
  readonly scopes: readonly string[];
  /** Counts rotations; part of what the token is derived from. */
  readonly epoch: number;
  readonly createdAtMs: number;
  readonly rotatedAtMs?: number;
  readonly revokedAtMs?: number;
}

export interface Device extends DeviceFacts {
  readonly grants: Readonly<Partial<Record<Role, RoleGrant>>>;
  readonly createdAtMs: number;
  readonly approvedAtMs: number;
}

export interface PairRequest extends DeviceFacts {
  readonly requestId: string;
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly isRepair: boolean;
  readonly ts: number;
}

export type PairDemand = DeviceFacts & { readonly role: Role; readonly scopes: readonly string[] };

interface TokenTarget {
  readonly deviceId: string;
  readonly role: string;
}

export type Devices = Awaited<ReturnType<typeof openDevices>>;

export async function openDevices(ports: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomSource;
}) {
  const { store, clock, random } = ports;
  const key = await readOrMakeKey(store, random);

  /** undefined while the device has no valid grant for the role. */
  function tokenOf(device: Device, role: Role): string | undefined {
    const grant = device.grants[role];
    if (grant === undefined || grant.revokedAtMs !== undefined) return undefined;
    const text = JSON.stringify([device.deviceId, role, grant.epoch]);
    return createHmac("sha256", key).update(text).digest("base64url");
  }

  function change(deviceId: string, edit: (device: Device | undefined) => Device) {
    return retryRace(async () => {
      const found = await store.kv.get({ space: DEVICES, key: deviceId });
      const device = edit(found && toDevice(found));
      const expectRevision = found?.revision ?? 0;
      await store.kv.put({ space: DEVICES, key: deviceId, value: device, expectRevision });
      return device;
    });
  }

  /** Pairs without asking: adds the role and its scopes to what the device has. */
  function grant(demand: PairDemand): Promise<Device> {
    const now = clock.now();
    const { role, scopes, ...facts } = demand;
    return change(demand.deviceId, (before) => {
      const old = before?.grants[role];
      const next: RoleGrant = {
        createdAtMs: old?.createdAtMs ?? now,
        // A revoked grant comes back with a new token.
        epoch: old === undefined ? 0 : old.epoch + (old.revokedAtMs === undefined ? 0 : 1),
        scopes: [
          ...new Set([...(old?.revokedAtMs === undefined ? (old?.scopes ?? []) : []), ...scopes]),
        ],
      };
      return {
        ...before,
        ...facts,
        displayName: before?.displayName ?? facts.displayName,
        grants: { ...before?.grants, [role]: next },
        createdAtMs: before?.createdAtMs ?? now,
        approvedAtMs: now,
      };
    });
  }

  async function listPending(): Promise<PairRequest[]> {
    const { entries } = await store.kv.list({ space: PENDING, limit: MAX_PENDING });
    return entries.map(toRequest);
  }

  async function takePending(requestId: string): Promise<PairRequest> {
    const found = await store.kv.get({ space: PENDING, key: requestId });
    if (found !== undefined) return toRequest(found);
    throw new ToolError("not_found", "unknown requestId", { reason: "unknown_request_id" });
  }

  function existing(deviceId: string, role: string, device: Device | undefined) {
    const grant = isRole(role) ? device?.grants[role] : undefined;
    if (device !== undefined && isRole(role) && grant !== undefined) return { device, role, grant };
    throw new ToolError("not_found", `unknown deviceId/role: ${deviceId.slice(0, 80)} ${role}`, {
      reason: "unknown_device",
    });
  }

  return {
    tokenOf,
    grant,
    isToken(device: Device, role: Role, given: string): boolean {
      const token = tokenOf(device, role);
      return token !== undefined && isSameSecret(given, token);
    },
    async find(deviceId: string): Promise<Device | undefined> {
      const found = await store.kv.get({ space: DEVICES, key: deviceId });
      return found && toDevice(found);
    },
    async list() {
      const { entries } = await store.kv.list({ space: DEVICES, limit: MAX_DEVICES });
      return { pending: await listPending(), paired: entries.map(toDevice) };
    },
    /** The request to wait for, the same one while it is pending. Throws `limit` beyond 50. */
    async request(demand: PairDemand) {
      const pending = await listPending();
      const known = pending.find(
        ({ deviceId, role, scopes }) =>
          deviceId === demand.deviceId &&
          role === demand.role &&
          scopes.join() === demand.scopes.join(),
      );
      if (known) return { request: known, isNew: false };
      if (pending.length >= MAX_PENDING) {
        throw new ToolError("limit", `${MAX_PENDING} devices are waiting for approval already`, {
          reason: "pairing_full",
        });
      }
      const isRepair = (await store.kv.get({ space: DEVICES, key: demand.deviceId })) !== undefined;
      const requestId = random.hex(REQUEST_ID_BYTES);
      const request: PairRequest = { ...demand, requestId, isRepair, ts: clock.now() };
      const place = { space: PENDING, key: requestId };
      await store.kv.put({ ...place, value: request, ttlMs: PENDING_TTL_MS });
      return { request, isNew: true };
    },
    /** Throws `not_found` for an unknown id, `denied` when the approver lacks a scope that it grants. */
    async approve(requestId: string, approver: Principal) {
      const request = await takePending(requestId);
      const missing = request.scopes.find((scope) => !coversScope(approver.scopes, scope));
      if (missing !== undefined) {
        throw new ToolError("denied", `missing scope: ${missing}`, {
          reason: "missing_scope",
          details: { missingScope: missing, requiredScopes: request.scopes },
        });
      }
      const { requestId: _id, isRepair: _repair, ts: _ts, ...demand } = request;
      const device = await grant(demand);
      await store.kv.delete({ space: PENDING, key: requestId });
      return { request, device };
    },
    async reject(requestId: string): Promise<PairRequest> {
      const request = await takePending(requestId);
      await store.kv.delete({ space: PENDING, key: requestId });
      return request;
    },
    async remove(deviceId: string): Promise<void> {
      if (await store.kv.delete({ space: DEVICES, key: deviceId })) return;
      throw new ToolError("not_found", "unknown deviceId", { reason: "unknown_device" });
    },
    rename: (deviceId: string, label: string) =>
      change(deviceId, (device) => {
        if (device) return { ...device, displayName: label };
        throw new ToolError("not_found", "unknown deviceId", { reason: "unknown_device" });
      }),
    /** A new token; the old one is refused from now on. `scopes` can only narrow. */
    async rotate(target: TokenTarget & { readonly scopes?: readonly string[] | undefined }) {
      const { deviceId, role, scopes } = target;
      const rotatedAtMs = clock.now();
      const device = await change(deviceId, (before) => {
        const found = existing(deviceId, role, before);
        const extra = scopes?.find((scope) => !coversScope(found.grant.scopes, scope));
        if (extra !== undefined) {
          throw new ToolInputError(`scope ${extra} was not approved for this device`, {
            reason: "scope_not_approved",
          });
        }
        const { revokedAtMs: _revoked, ...old } = found.grant;
        const next = { ...old, scopes: scopes ?? old.scopes, epoch: old.epoch + 1, rotatedAtMs };
        return { ...found.device, grants: { ...found.device.grants, [found.role]: next } };
      });
      const found = existing(deviceId, role, device);
      return { grant: found.grant, token: tokenOf(device, found.role) ?? "" };
    },
    revoke: ({ deviceId, role }: TokenTarget) =>
      change(deviceId, (before) => {
        const found = existing(deviceId, role, before);
        const next = { ...found.grant, revokedAtMs: clock.now() };
        return { ...found.device, grants: { ...found.device.grants, [found.role]: next } };
      }),
  };
}

function isRole(text: string): text is Role {
  return text === "operator" || text === "node";
}

/** Rows of this space are written by this file alone. */
function toDevice({ value }: KvEntry): Device {
  return value as Device;
}

/** The same. */
function toRequest({ value }: KvEntry): PairRequest {
  return value as PairRequest;
}

async function readOrMakeKey(store: Store, random: RandomSource): Promise<string> {
  const place = { space: SECRETS, key: TOKEN_KEY };
  const found = readText((await store.kv.get(place))?.value, "key");
  if (found !== undefined) return found;
  const key = random.hex(KEY_BYTES);
  await store.kv.put({ ...place, value: { key }, expectRevision: 0, durability: "disk" });
  return key;
}
