// Carries out a task as a careful reader would: acts only on elements that an answer has shown, looks
// again when one is missing, and hands over together what can be done without looking in between.
import { join } from "node:path";
import type { Act, Hands, Reply } from "./hands/hands.js";
import { createSeenPage, type SeenPage } from "./seen-page.js";
import type { Step, Target, Task } from "./steps.js";

export interface Place {
  readonly hands: Hands;
  /** Of the page server. */
  readonly base: string;
  /** Where the files of a task lie. */
  readonly root: string;
}

/** Rejects with the step that failed and what was answered. */
export async function runTask(task: Task, place: Place): Promise<void> {
  const reader = createReader(place);
  for (const [index, step] of task.steps.entries()) {
    try {
      await takeStep(step, reader, place);
    } catch (cause) {
      throw new Error(`${task.name}, step ${index + 1}: ${String(cause)}`, { cause });
    }
  }
  await reader.flush();
}

interface Reader {
  readonly seen: SeenPage;
  /** Acts that wait for `flush`. */
  add(act: Act): void;
  flush(): Promise<void>;
  look(): Promise<void>;
  /** What is known is of after the acts. */
  renew(): Promise<void>;
  note(reply: Reply): void;
  refOf(target: Target): Promise<{ readonly ref: string; readonly name: string }>;
}

function createReader({ hands }: Place): Reader {
  const seen = createSeenPage();
  let waiting: Act[] = [];
  let isCurrent = false;
  const note = (reply: Reply): void => {
    if (reply.isError) throw new Error(reply.text);
    isCurrent = reply.about !== "nothing";
    if (reply.about === "page") seen.replace(reply.text);
    else if (reply.about === "change") seen.change(reply.text);
  };
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const acts = waiting;
    waiting = [];
    note(await hands.act(acts));
  };
  const look = async (): Promise<void> => note(await hands.look());
  const find = (target: Target) => {
    const { ref, name } = seen.find(target) ?? {};
    return ref === undefined ? undefined : { ref, name: name ?? "" };
  };
  return {
    seen,
    flush,
    look,
    note,
    async renew() {
      await flush();
      if (!isCurrent) await look();
    },
    add: (act) => waiting.push(act),
    async refOf(target) {
      const known = find(target);
      if (known !== undefined) return known;
      await flush();
      const told = find(target);
      if (told !== undefined) return told;
      await look();
      const found = find(target);
      if (found !== undefined) return found;
      const lines = seen.elements.map(({ line }) => line).join("\n");
      throw new Error(`No ${target.role} "${target.name}" on the page:\n${lines}`);
    },
  };
}

async function takeStep(step: Step, reader: Reader, place: Place): Promise<void> {
  const { hands, base, root } = place;
  if ("open" in step) {
    await reader.flush();
    reader.seen.replace("");
    reader.note(await hands.open(`${base}${step.open}`));
  } else if ("until" in step) {
    await clickUntil(step, reader);
  } else if ("click" in step) {
    if (step.isNew) await reader.renew();
    reader.add({ kind: "click", ...(await reader.refOf(step.click)) });
  } else if ("type" in step) {
    const { text, submit } = step;
    const target = await reader.refOf(step.type);
    reader.add({ kind: "type", ...target, text, ...(submit ? { submit } : {}) });
  } else if ("fill" in step) {
    const fields = [];
    for (const field of step.fill) {
      fields.push({ role: field.role, value: field.value, ...(await reader.refOf(field)) });
    }
    reader.add({ kind: "fill", fields });
  } else if ("press" in step) {
    reader.add({ kind: "press", key: step.press });
  } else if ("drag" in step) {
    const from = await reader.refOf(step.drag);
    const to = await reader.refOf(step.to);
    reader.add({ kind: "drag", ...from, endRef: to.ref, endName: to.name });
  } else if ("attach" in step) {
    const button = await reader.refOf(step.attach);
    await reader.flush();
    const paths = step.files.map((file) => join(root, file));
    reader.note(await hands.attach({ ...button, paths }));
  } else if ("choose" in step) {
    await reader.flush();
    await reader.look();
    const target = step.choose(reader.seen.elements);
    reader.add({ kind: "click", ...(await reader.refOf(target)) });
  } else {
    await reader.flush();
    if (!reader.seen.shows(step.expect)) reader.note(await hands.waitFor(step.expect));
  }
}

async function clickUntil(
  { click, until, atMost }: Extract<Step, { until: string }>,
  reader: Reader,
): Promise<void> {
  for (let turn = 0; turn < atMost && !reader.seen.shows(until); turn++) {
    reader.add({ kind: "click", ...(await reader.refOf(click)) });
    await reader.flush();
    if (reader.seen.elements.length === 0) await reader.look();
  }
  if (!reader.seen.shows(until)) throw new Error(`"${until}" was not seen after ${atMost} clicks.`);
}
