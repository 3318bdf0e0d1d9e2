// Somebody who listens for questions, for the length of a test.

import { onTestFinished } from "vitest";
import { registerApprover } from "../../src/drivers/approvals/index.js";
import { createSystemRandom } from "../../src/drivers/clock.js";
import type { Setting } from "./approvals-setting.js";

export async function addListener({ store, clock }: Setting): Promise<void> {
  const random = createSystemRandom();
  const listener = await registerApprover("a test", { store, clock, random });
  onTestFinished(() => listener.close());
}
