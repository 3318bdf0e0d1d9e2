// `clawtools cron`: the scheduled jobs of the gateway.

import { ToolError } from "../../core/index.js";
import { toPrintable } from "../../lib/printable.js";
import { readField, readList, readNumber, readText } from "../../lib/read-field.js";
import { parseSpanMs, showSpan } from "../../lib/time-span.js";
import { type Command, type CommandCall, show } from "../command.js";
import { UsageError } from "../failure.js";
import { JSON_FLAG } from "../flags.js";
import { formatColumns } from "../terminal/wrap-text.js";
import { type CallMethod, GATEWAY_FLAGS, withGateway } from "./gateway/with-gateway.js";

const FLAGS = { ...GATEWAY_FLAGS, ...JSON_FLAG };
const JOB_FLAGS = {
  "--name TEXT": "Name of the job.",
  "--at TIME": "Once, at an ISO time (UTC unless it has an offset), or in 20m, 2h, 1d.",
  "--every SPAN": "Repeat: 30s, 10m, 2h, 1d.",
  "--cron EXPR": 'Repeat by a cron expression, such as "0 9 * * 1-5".',
  "--tz ZONE": "Time zone of --cron, such as Europe/Berlin (default: the gateway's).",
  "--message TEXT": "Ask the agent this in a session of its own.",
  "--model MODEL": "Model for --message, as provider/model (default: the agent's).",
  "--event TEXT": "Tell the main session this.",
  "--agent ID": "Agent (default: the default agent).",
  "--missed skip|once|all": "Slots that passed while the gateway was down (default once).",
  "--now": "Start a turn for --event at once, not at the next heartbeat.",
  "--delete-after-run": "Remove the job after it succeeded.",
  ...FLAGS,
} as const;
const MINUTE_MS = 60_000;

export const COMMANDS = {
  list: {
    flags: { "--all": "Disabled jobs too.", ...FLAGS },
    run: (call) =>
      withGateway(call, async (ask) => {
        const isAll = call.switches.has("all");
        const answer = await ask("cron.list", { includeDisabled: isAll });
        const hidden =
          isAll || call.switches.has("json")
            ? 0
            : countJobs(await ask("cron.list", { includeDisabled: true, limit: 1 })) -
              countJobs(answer);
        return show(call, answer, () => [
          ...formatJobs(call, readList(answer, "jobs")),
          ...(hidden > 0 ? [`Not shown: ${hidden} disabled. --all lists them too.`] : []),
        ]);
      }),
  },
  add: {
    flags: JOB_FLAGS,
    sample: 'clawtools cron add --cron "0 9 * * 1-5" --message "Summarise the news"',
    run: (call) =>
      withGateway(call, async (ask) => {
        const job = readJob(call, Date.now());
        if (job.schedule === undefined) throw new UsageError("Give --at, --every or --cron.");
        if (job.payload === undefined) throw new UsageError("Give --message or --event.");
        const added = await ask("cron.add", job);
        if (call.texts.message !== undefined && call.texts.model === undefined) {
          await warnWithoutModel(call, ask);
        }
        return showJob(call, added);
      }),
  },
  edit: {
    usage: "JOB",
    flags: JOB_FLAGS,
    run: (call) =>
      withGateway(call, async (ask) => {
        const patch = readJob(call, Date.now());
        return showJob(call, await ask("cron.update", { id: call.words[0], patch }));
      }),
  },
  enable: { usage: "JOB", flags: FLAGS, run: (call) => setEnabled(call, true) },
  disable: { usage: "JOB", flags: FLAGS, run: (call) => setEnabled(call, false) },
  run: {
    usage: "JOB",
    notes: ["The schedule stays as it is."],
    flags: FLAGS,
    run: (call) =>
      withGateway(call, async (ask) => {
        const answer = await ask("cron.run", { id: call.words[0], mode: "force" });
        return show(call, answer, () => [`Started run ${readText(answer, "runId") ?? ""}.`]);
      }),
  },
  runs: {
    usage: "JOB",
    flags: FLAGS,
    run: (call) =>
      withGateway(call, async (ask) => {
        const answer = await ask("cron.runs", { id: call.words[0] });
        return show(call, answer, () => formatRuns(call, readList(answer, "entries")));
      }),
  },
  rm: {
    usage: "JOB",
    flags: FLAGS,
    run: (call) =>
      withGateway(call, async (ask) => {
        const answer = await ask("cron.remove", { id: call.words[0] });
        if (readField(answer, "removed") !== true) {
          const shown = toPrintable(call.words[0] ?? "");
          throw new ToolError("not_found", `No cron job "${shown}". See \`clawtools cron list\`.`, {
            reason: "cron_job_not_found",
          });
        }
        return show(call, answer, () => ["Removed."]);
      }),
  },
} as const satisfies Record<string, Command>;

function setEnabled(call: CommandCall, enabled: boolean): Promise<number> {
  return withGateway(call, async (ask) =>
    showJob(call, await ask("cron.update", { id: call.words[0], patch: { enabled } })),
  );
}

/** Only what was given. Throws a UsageError. */
function readJob({ texts, switches }: CommandCall, nowMs: number) {
  const { name, at, every, cron, tz, message, model, event, agent, missed } = texts;
  const schedules = [
    at !== undefined && { kind: "at", at: readTime(at, nowMs) },
    every !== undefined && { kind: "every", everyMs: readSpan("every", every) },
    cron !== undefined && { kind: "cron", expr: cron, ...(tz !== undefined && { tz }) },
  ].filter((one) => one !== false);
  const payloads = [
    message !== undefined && { kind: "agentTurn", message, ...(model !== undefined && { model }) },
    event !== undefined && { kind: "systemEvent", text: event },
  ].filter((one) => one !== false);
  if (schedules.length > 1) throw new UsageError("Give only one of --at, --every and --cron.");
  if (payloads.length > 1) throw new UsageError("Give only one of --message and --event.");
  if (model !== undefined && message === undefined) {
    throw new UsageError("Give --model together with --message.");
  }
  const [schedule] = schedules;
  const [payload] = payloads;
  return {
    ...(name !== undefined && { name }),
    ...(schedule && { schedule }),
    ...(payload && { payload }),
    ...(agent !== undefined && { agentId: agent }),
    ...(missed !== undefined && { missed }),
    ...(switches.has("now") && { wakeMode: "now" }),
    ...(switches.has("delete-after-run") && { deleteAfterRun: true }),
  };
}

/** "20m" is a time from now; an ISO time is left to the gateway. */
function readTime(text: string, nowMs: number): string {
  const spanMs = parseSpanMs(text);
  if (spanMs !== undefined) return new Date(nowMs + spanMs).toISOString();
  if (/^\d{4}-/.test(text)) return text;
  throw new UsageError(
    `--at "${toPrintable(text, 60)}" is not a time. Use 10m, 2h or 1d from now, or ISO 8601, such as 2026-05-01T09:00:00+02:00.`,
  );
}

async function warnWithoutModel({ output }: CommandCall, ask: CallMethod): Promise<void> {
  const sessions = readField(await ask("status"), "sessions");
  if (readText(readField(sessions, "defaults"), "model") !== undefined) return;
  output.warn(
    "warning: The gateway has no model, so this job will fail. Set `agents.defaults.model`, or start the gateway with ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY set.",
  );
}

function countJobs(answer: unknown): number {
  return readNumber(answer, "total") ?? 0;
}

function readSpan(flag: string, text: string): number {
  const ms = parseSpanMs(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`--${flag} must be a number with s, m, h or d, such as 10m.`);
}

function showJob(call: CommandCall, job: unknown): number {
  return show(call, job, () => {
    const next = readList(job, "nextRunsMs").map((time) => `  ${showTime(Number(time))}`);
    const head = `${readText(job, "name") ?? ""} (${readText(job, "id") ?? ""})`;
    if (next.length === 0) return [toPrintable(head), "No further runs."];
    const delivery = readText(readField(job, "deliveryPreview"), "label") ?? "";
    const title = next.length === 1 ? "Runs:" : "Next runs:";
    return [toPrintable(head), `Delivery: ${toPrintable(delivery)}`, title, ...next];
  });
}

function formatJobs(call: CommandCall, jobs: readonly unknown[]): string[] {
  if (jobs.length === 0) return ["No jobs. Add one with `cron add`."];
  const rows = jobs.map((job): [string, string] => {
    const next = readNumber(job, "nextRunAtMs");
    const status = readText(readField(job, "state"), "lastStatus");
    const parts = [
      readText(job, "name") ?? "",
      showSchedule(readField(job, "schedule")),
      next === undefined ? "not scheduled" : `next ${showTime(next)}`,
      ...(status === undefined ? [] : [`last ${status}`]),
    ];
    return [readText(job, "id") ?? "", toPrintable(parts.join(" · "))];
  });
  return formatColumns({ rows, width: call.width });
}

function formatRuns(call: CommandCall, runs: readonly unknown[]): string[] {
  if (runs.length === 0) return ["No runs yet."];
  const rows = runs.map((run): [string, string] => {
    const text = readText(run, "error") ?? readText(run, "summary") ?? "";
    const [line = ""] = text.split("\n");
    const time = showTime(readNumber(run, "ts") ?? 0);
    return [time, toPrintable(`${readText(run, "status") ?? ""} ${line}`.trim())];
  });
  return formatColumns({ rows, width: call.width });
}

function showSchedule(schedule: unknown): string {
  const kind = readText(schedule, "kind");
  if (kind === "every") return `every ${showSpan(readNumber(schedule, "everyMs") ?? 0)}`;
  if (kind === "cron")
    return [readText(schedule, "expr"), readText(schedule, "tz")].filter(Boolean).join(" ");
  return "once";
}

/** `Fri, 1 May 2026, 09:00 GMT+2 (in 3 h)`, in the time zone of this machine. */
function showTime(timeMs: number): string {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const text = new Intl.DateTimeFormat("en-GB", {
    ...{ ...day, hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  });
  const distance = timeMs - Date.now();
  const minutes = Math.round(Math.abs(distance) / MINUTE_MS);
  const span =
    minutes < 120
      ? `${minutes} min`
      : minutes < 2_880
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / 1_440)} days`;
  return `${text.format(timeMs)} (${distance >= 0 ? `in ${span}` : `${span} ago`})`;
}
