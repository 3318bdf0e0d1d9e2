// Hashes of files, steps and plans. Key order is fixed, so equal plans have equal JSON.
import { createHash, hash as hashOnce } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { CommandPlan, PlanStep, StepFacts } from "../../core/command/index.js";

const BLOCK_BYTES = 256 * 1024;
/** Never waits for a pipe or device. */
const AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** A closed input is left out, so that older grants stay valid. */
export function sealPlan(
  { cwd, root, steps }: Pick<CommandPlan, "cwd" | "root" | "steps">,
  input: CommandPlan["input"],
): Omit<CommandPlan, "command"> {
  if (input === undefined) return { cwd, root, steps, hash: hashValue({ cwd, root, steps }) };
  const bound = steps.map((step) => {
    const exactHash = hashValue([step.facts.exactHash, input]);
    return { ...step, facts: { ...step.facts, exactHash } };
  });
  const plan = { cwd, root, steps: bound, input };
  return { ...plan, hash: hashValue(plan) };
}

/** For exact grants. */
export function hashStep(
  step: Omit<PlanStep, "facts"> & {
    readonly facts: Pick<StepFacts, "interpreter" | "files">;
  },
): string {
  const { program, argv, cwd, redirects, scripts, facts } = step;
  const { interpreter, files = [] } = facts;
  return hashValue({
    program: program.path,
    contentHash: program.contentHash,
    interpreter: interpreter?.path,
    args: argv.slice(1),
    cwd,
    redirects,
    scripts,
    ...(files.length === 0 ? {} : { files }),
  });
}

function hashValue(value: unknown): string {
  return hashOnce("sha256", JSON.stringify(value));
}

export async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}

/** undefined for larger files, and for anything but a regular file. */
export async function hashBounded(
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const handle = await open(path, AT_ONCE);
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const hash = createHash("sha256");
    const block = Buffer.alloc(BLOCK_BYTES);
    for (let total = 0; ; ) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES, null);
      if (bytesRead === 0) return hash.digest("hex");
      total += bytesRead;
      if (total > maxBytes) return undefined;
      hash.update(block.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
