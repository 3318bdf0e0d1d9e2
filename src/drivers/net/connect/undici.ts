// The optional package that speaks HTTP, found or not found at run time.

import { netUnavailable } from "../errors/failures.js";

export const HTTP_PACKAGE = "undici";

export type Undici = Pick<typeof import("undici"), "Pool" | "ProxyAgent">;

export function importUndici(): Promise<Undici> {
  return import("undici");
}

/** Throws `unavailable` when there is none. */
export async function loadUndici(importClient: () => Promise<Undici>): Promise<Undici> {
  try {
    return await importClient();
  } catch (error) {
    throw netUnavailable(error);
  }
}
