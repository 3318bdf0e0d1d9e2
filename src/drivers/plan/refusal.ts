// Why a command could not be settled on this machine.

import type { CommandRefusal } from "../../core/command/index.js";

export function refuse(kind: string, message: string): CommandRefusal {
  return { reason: kind, message };
}

export function isRefusal(value: object): value is CommandRefusal {
  return "reason" in value && "message" in value;
}
