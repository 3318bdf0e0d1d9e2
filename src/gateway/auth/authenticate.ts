// Decides who a connection is, from its credentials and our records: role and scopes are never taken
// from what the client claims, only narrowed by it.

import type { ClawtoolsConfig } from "../../config/index.js";
import { type Clock, isToolError } from "../../core/index.js";
import type { WrongSecrets } from "../../lib/http/limits.js";
import { isSameSecret } from "../../lib/http/request-guard.js";
import {
  type ConnectParams,
  coversScope,
  PROTOCOL_VERSIONS,
  type WireError,
} from "../../protocol/index.js";
import type { Device, DeviceFacts, Devices, PairRequest, Role } from "../devices/devices.js";
import { type Challenge, findSignatureFault } from "./device-signature.js";
import { lockKeyOf, type SharedSecret } from "./shared-secret.js";

const POLICY_VIOLATION = 1008;
const PROTOCOL_ERROR = 1002;
const NEWEST_PROTOCOL = PROTOCOL_VERSIONS[0];
const OLDEST_PROTOCOL = PROTOCOL_VERSIONS[1];
const CONTROL_UI = "openclaw-control-ui";

/** How a request reached us. */
export interface RemoteFacts {
  readonly address: string;
  /** From this machine, and through no proxy. */
  readonly isLocal: boolean;
  /** Set by a trusted proxy that has signed the user in. */
  readonly proxyUser?: string | undefined;
}

export interface Admission {
  readonly role: Role;
  readonly scopes: readonly string[];
  readonly protocol: number;
  readonly deviceId?: string | undefined;
  readonly deviceToken?: string | undefined;
  readonly issuedAtMs?: number | undefined;
}

export type AuthOutcome =
  | { readonly ok: true; readonly admission: Admission }
  | { readonly ok: false; readonly error: WireError; readonly closeCode: number };

export interface AuthOptions {
  readonly secret: SharedSecret;
  readonly devices: Devices;
  readonly clock: Clock;
  readonly wrongSecrets: WrongSecrets;
  readonly config: () => ClawtoolsConfig;
  readonly onPairRequest: (request: PairRequest) => void;
}

export interface AuthRequest {
  readonly params: ConnectParams;
  readonly challenge: Challenge;
  readonly remote: RemoteFacts;
}

export type Authenticate = (request: AuthRequest) => Promise<AuthOutcome>;

type Proof =
  | { readonly by: "shared" }
  | { readonly by: "device"; readonly device: Device }
  | { readonly by: "none"; readonly outcome: AuthOutcome };

export function createAuthenticate(options: AuthOptions): Authenticate {
  const { secret, devices, clock, wrongSecrets } = options;

  async function prove(request: AuthRequest, role: Role): Promise<Proof> {
    const { params, remote } = request;
    const { auth = {}, device } = params;
    if (secret.mode === "none" && remote.isLocal) return { by: "shared" };
    if (secret.mode === "trusted-proxy" && remote.proxyUser) return { by: "shared" };
    const kind = secret.mode === "password" ? "password" : "token";
    const lockKey = lockKeyOf(secret, remote.address);
    // A long random token cannot be guessed, so its owner always gets in; a password could be.
    const isLocked = kind === "password" && wrongSecrets.waitSeconds(lockKey) > 0;
    const offered = [auth.token, auth.password].filter((text) => text !== undefined && text !== "");
    if (isLocked) return refused(rateLimited(wrongSecrets.waitSeconds(lockKey)));
    if (secret.secret !== "" && offered.some((text) => isSameSecret(text ?? "", secret.secret))) {
      return { by: "shared" };
    }
    const record = device && (await devices.find(device.id));
    const deviceTokens = [auth.deviceToken, auth.token].filter((text) => text !== undefined);
    if (record && deviceTokens.some((text) => devices.isToken(record, role, text ?? ""))) {
      return { by: "device", device: record };
    }
    if (auth.deviceToken !== undefined && offered.length === 0) {
      const waitSeconds = wrongSecrets.count(`${remote.address} device-token`);
      return refused(waitSeconds > 0 ? rateLimited(waitSeconds) : mismatch("AUTH_DEVICE_TOKEN"));
    }
    if (offered.length === 0) {
      return refused(device === undefined ? NO_DEVICE : missing(kind));
    }
    const waitSeconds = wrongSecrets.count(lockKey);
    if (waitSeconds > 0) return refused(rateLimited(waitSeconds));
    return refused(mismatch(kind === "password" ? "AUTH_PASSWORD" : "AUTH_TOKEN"));
  }

  /** A device with the shared secret on this machine is paired without asking. */
  async function admitDevice(
    { params, remote }: AuthRequest,
    facts: DeviceFacts,
    { role, proof }: { readonly role: Role; readonly proof: Exclude<Proof, { by: "none" }> },
  ): Promise<{ readonly device: Device } | AuthOutcome> {
    const wanted = wantedScopes(params, { role, proof });
    const known = proof.by === "device" ? proof.device : await devices.find(facts.deviceId);
    const grant = known?.grants[role];
    const isGranted = grant !== undefined && grant.revokedAtMs === undefined;
    if (isGranted && wanted.every((scope) => coversScope(grant.scopes, scope))) {
      return { device: known as Device };
    }
    const { autoApproveLocal = true } = options.config().gateway?.nodes?.pairing ?? {};
    const isSilent =
      proof.by === "shared" && remote.isLocal && (role === "operator" || autoApproveLocal);
    const demand = { ...facts, role, scopes: wanted };
    if (isSilent) return { device: await devices.grant(demand) };
    try {
      const { request, isNew } = await devices.request(demand);
      if (isNew) options.onPairRequest(request);
      return fail(pairingRequired(request, pairingReason(known, isGranted)));
    } catch (error) {
      if (!isToolError(error)) throw error;
      return fail({ code: "UNAVAILABLE", message: error.message, retryable: true });
    }
  }

  return async (request) => {
    const { params, challenge, remote } = request;
    const protocol = chooseProtocol(params);
    if (protocol === undefined) return protocolMismatch(params);
    const { role = "operator", device } = params;
    if (role !== "operator" && role !== "node") return fail(invalid("invalid role"));
    if (device !== undefined) {
      const check = { challenge, nowMs: clock.now() };
      const fault = findSignatureFault({ ...params, device }, check);
      if (fault) return fail(fault);
    }
    const proof = await prove(request, role);
    if (proof.by === "none") return proof.outcome;
    if (device === undefined) {
      if (params.client.id === CONTROL_UI) return fail(CONTROL_UI_DEVICE);
      if (role === "node") return fail(NO_DEVICE);
      // The shared secret is an operator's; a client may ask for less.
      const scopes = params.scopes ?? ["operator.admin"];
      return { ok: true, admission: { role, scopes, protocol } };
    }
    const facts = toFacts({ ...params, device }, remote);
    const admitted = await admitDevice(request, facts, { role, proof });
    if ("ok" in admitted) return admitted;
    const grant = admitted.device.grants[role];
    return {
      ok: true,
      admission: {
        role,
        scopes: params.scopes === undefined ? (grant?.scopes ?? []) : params.scopes,
        protocol,
        deviceId: device.id,
        deviceToken: devices.tokenOf(admitted.device, role),
        issuedAtMs: grant?.rotatedAtMs ?? grant?.createdAtMs,
      },
    };
  };
}

/** A client that asks for no scopes gets all that the shared secret grants. */
function wantedScopes(
  { scopes }: ConnectParams,
  { role, proof }: { readonly role: Role; readonly proof: Proof },
): readonly string[] {
  if (scopes !== undefined) return scopes;
  return role === "operator" && proof.by === "shared" ? ["operator.admin"] : [];
}

function toFacts(
  { client, device }: ConnectParams & { readonly device: { id: string; publicKey: string } },
  { address }: RemoteFacts,
): DeviceFacts {
  return {
    deviceId: device.id,
    publicKey: device.publicKey,
    displayName: client.displayName,
    platform: client.platform,
    deviceFamily: client.deviceFamily,
    clientId: client.id,
    clientMode: client.mode,
    remoteIp: address,
  };
}

function chooseProtocol({ minProtocol, maxProtocol }: ConnectParams): number | undefined {
  return PROTOCOL_VERSIONS.find((version) => version >= minProtocol && version <= maxProtocol);
}

function pairingReason(known: Device | undefined, isGranted: boolean): string {
  if (known === undefined) return "not-paired";
  return isGranted ? "scope-upgrade" : "role-upgrade";
}

function fail(error: WireError, closeCode = POLICY_VIOLATION): AuthOutcome {
  return { ok: false, error, closeCode };
}

function refused(error: WireError): Proof {
  return { by: "none", outcome: fail(error) };
}

function invalid(message: string): WireError {
  return { code: "INVALID_REQUEST", message };
}

function protocolMismatch({ minProtocol, maxProtocol }: ConnectParams): AuthOutcome {
  const details = {
    code: "PROTOCOL_MISMATCH",
    clientMinProtocol: minProtocol,
    clientMaxProtocol: maxProtocol,
    expectedProtocol: NEWEST_PROTOCOL,
    minimumProbeProtocol: OLDEST_PROTOCOL,
  };
  return fail({ ...invalid("protocol mismatch"), details }, PROTOCOL_ERROR);
}

function rateLimited(waitSeconds: number): WireError {
  return {
    code: "UNAVAILABLE",
    message: `unauthorized: too many failed attempts; try again in ${waitSeconds} seconds`,
    details: { code: "AUTH_RATE_LIMITED", recommendedNextStep: "wait_then_retry" },
    retryable: true,
    retryAfterMs: waitSeconds * 1_000,
  };
}

function missing(kind: "token" | "password"): WireError {
  return {
    ...invalid(`unauthorized: gateway ${kind} missing (send it as auth.${kind})`),
    details: {
      code: `AUTH_${kind.toUpperCase()}_MISSING`,
      authReason: `${kind}_missing`,
      canRetryWithDeviceToken: false,
      recommendedNextStep: "update_auth_configuration",
    },
  };
}

const CREDENTIAL_NAMES = {
  AUTH_TOKEN: "gateway token",
  AUTH_PASSWORD: "gateway password",
  AUTH_DEVICE_TOKEN: "device token",
} as const;

function mismatch(kind: keyof typeof CREDENTIAL_NAMES): WireError {
  return {
    ...invalid(`unauthorized: ${CREDENTIAL_NAMES[kind]} mismatch (check the credential)`),
    details: {
      code: `${kind}_MISMATCH`,
      authReason: `${kind.slice("AUTH_".length).toLowerCase()}_mismatch`,
      canRetryWithDeviceToken: false,
      recommendedNextStep: "update_auth_credentials",
    },
  };
}

function pairingRequired(request: PairRequest, reason: string): WireError {
  const { requestId, deviceId, role, scopes } = request;
  return {
    code: "NOT_PAIRED",
    message: "pairing required: device is not approved yet",
    details: {
      code: "PAIRING_REQUIRED",
      reason,
      requestId,
      deviceId,
      requestedRole: role,
      requestedScopes: scopes,
      // So that a node connects by itself after the approval.
      recommendedNextStep: "wait_then_retry",
      pauseReconnect: false,
    },
    retryable: true,
  };
}

const NO_DEVICE: WireError = {
  code: "NOT_PAIRED",
  message: "device identity required",
  details: { code: "DEVICE_IDENTITY_REQUIRED" },
};

const CONTROL_UI_DEVICE: WireError = {
  code: "NOT_PAIRED",
  message: "control ui requires device identity (open it over https or on localhost)",
  details: { code: "CONTROL_UI_DEVICE_IDENTITY_REQUIRED" },
};
