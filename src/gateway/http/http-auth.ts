// Who an HTTP request is: the shared secret, or a device token, in `Authorization: Bearer …`.

import type { WrongSecrets } from "../../lib/http/limits.js";
import { isSameSecret } from "../../lib/http/request-guard.js";
import type { Principal } from "../../protocol/index.js";
import { lockKeyOf, type SharedSecret } from "../auth/shared-secret.js";
import type { Devices } from "../devices/devices.js";
import type { AuthenticateHttp } from "./routes.js";

const OWNER: Principal = { role: "operator", scopes: ["operator.admin"], connId: "http" };

export function createHttpAuth(parts: {
  readonly secret: SharedSecret;
  readonly devices: Devices;
  /** The same as for connections: a guess counts however it comes. */
  readonly wrongSecrets: WrongSecrets;
}): AuthenticateHttp {
  const { secret, devices, wrongSecrets } = parts;
  return async (token, { address, isLocal, proxyUser }) => {
    if (secret.mode === "none" && isLocal) return OWNER;
    if (secret.mode === "trusted-proxy" && proxyUser !== undefined) return OWNER;
    const lockKey = lockKeyOf(secret, address);
    const isLocked = wrongSecrets.waitSeconds(lockKey) > 0;
    if (isLocked && secret.mode === "password") return tooMany();
    if (secret.secret !== "" && isSameSecret(token, secret.secret)) return OWNER;
    if (token === "")
      return { status: 401, message: "Send the token as `Authorization: Bearer …`." };
    const { paired } = await devices.list();
    const device = paired.find((one) => devices.isToken(one, "operator", token));
    const scopes = device?.grants.operator?.scopes;
    if (device && scopes) return { ...OWNER, scopes, deviceId: device.deviceId };
    if (isLocked) return tooMany();
    wrongSecrets.count(lockKey);
    return { status: 401, message: "The token is not valid for this gateway." };
  };
}

function tooMany() {
  return {
    status: 429,
    message: "Too many wrong tokens came from this address; try again later.",
  } as const;
}
