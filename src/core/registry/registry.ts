// The documented registry: the catalog of tools and their resolution for a context. No policy.

import { isToolDefinition, type ToolDefinition, type ToolFactory } from "../define-tool.js";
import { ToolInputError } from "../errors.js";
import {
  createRunDefinition,
  type RunDefinition,
  type RunRequest,
} from "../invoke/run-definition.js";
import { foldName } from "../policy/names.js";
import type { RunPorts } from "../ports/run-ports.js";
import {
  TOOL_PROFILES,
  type Tool,
  type ToolContext,
  type ToolMeta,
  type ToolProfile,
  type ToolSection,
} from "../tool.js";
import { assertTool, type Entry, type EntrySource, nameOf, resolveEntry } from "./entry.js";
import {
  createDiagnostics,
  type Diagnostic,
  type DiagnosticListener,
  type ExplainRow,
  isFault,
  type Outcome,
  ToolResolutionError,
  toExplainRow,
} from "./explain.js";
import {
  deriveMeta,
  explainTakenNames,
  findByOtherName,
  findEntry,
  freezeMeta,
  listFactories,
  unknownProfiles,
  unknownTool,
} from "./lookup.js";

export type ResolveErrorCallback = (meta: ToolMeta, error: unknown) => void;

export interface ResolveOptions {
  /** Throw a ToolResolutionError with every reason instead of leaving tools out. */
  readonly strict?: boolean;
}

export interface ResolveByProfileOptions extends ResolveOptions {
  readonly includeAll?: boolean;
}

interface Resolved {
  readonly entry: Entry;
  readonly outcome: Outcome;
}

export class ToolRegistryBase {
  readonly #entries = new Map<string, Entry>();
  readonly #sections = new Map<string, string>();
  readonly #diagnostics = createDiagnostics();
  readonly #run: RunDefinition;
  readonly #busy = new Set<Entry>();

  constructor(options: { readonly ports: RunPorts }) {
    this.#run = createRunDefinition(options.ports);
  }

  /** The id is `meta.id`, else the tool's name. Throws when the tool could never be called. */
  register(tool: Tool | ToolDefinition, meta?: Partial<ToolMeta>): void;
  register(factory: ToolFactory, meta: ToolMeta): void;
  register(source: EntrySource, meta?: Partial<ToolMeta>): void {
    if (typeof source === "function") {
      // The overload asks a factory for whole metadata; a caller without types is checked inside.
      this.registerFactory(source, meta as ToolMeta);
      return;
    }
    if (!isToolDefinition(source)) assertTool(source);
    this.#add({ meta: deriveMeta(source, meta), source });
  }

  registerFactory(factory: ToolFactory, meta: ToolMeta): void {
    if (typeof factory !== "function") {
      throw new ToolInputError("registerFactory takes a function that gets the context.", {
        reason: "factory_invalid",
      });
    }
    this.#add({ meta: freezeMeta(meta ?? { id: undefined }), source: factory });
  }

  registerSection(section: ToolSection): void {
    if (typeof section?.id !== "string" || typeof section.label !== "string") {
      throw new ToolInputError("registerSection takes { id, label }, both texts.", {
        reason: "section_invalid",
      });
    }
    this.#sections.set(section.id, section.label);
  }

  /** Tools that are absent in this context are left out; ask `explain` for the reasons. */
  resolveAll(ctx?: ToolContext, onError?: ResolveErrorCallback, options?: ResolveOptions): Tool[] {
    return this.#resolveEntries([...this.#entries.values()], { ctx, onError, options });
  }

  resolveByProfile(
    profile: ToolProfile,
    ctx?: ToolContext,
    onError?: ResolveErrorCallback,
    options?: ResolveByProfileOptions,
  ): Tool[] {
    const all = profile === "full" || options?.includeAll === true;
    if (!TOOL_PROFILES.includes(profile)) {
      const message = `Unknown profile "${profile}"; known: ${TOOL_PROFILES.join(", ")}.`;
      this.#warn({ code: "profile_unknown", toolId: "", message });
    }
    const entries = [...this.#entries.values()].filter(
      ({ meta }) => all || meta.profiles.includes(profile),
    );
    return this.#resolveEntries(entries, { ctx, onError, options });
  }

  /** Finds by id, then by the tool's name, then by its other names, then among what factories make. */
  resolve(
    name: string,
    ctx?: ToolContext,
    onError?: ResolveErrorCallback,
    options?: ResolveOptions,
  ): Tool | undefined {
    const entry = findEntry(this.#entries, name) ?? findByOtherName(this.#entries, name);
    // Looking among what factories make calls them all; their faults are not about this tool.
    const request = entry
      ? { ctx, onError, options }
      : { ctx, onError: undefined, options: undefined };
    const tools = this.#resolveEntries(entry ? [entry] : listFactories(this.#entries), request);
    const exact = tools.find((tool) => nameOf(tool) === name);
    const found = entry ? (exact ?? tools[0]) : exact;
    if (found === undefined && options?.strict) throw unknownTool(this.#entries, name);
    return found;
  }

  /** One row per registered tool, in order of registration. */
  explain(ctx: ToolContext = {}): ExplainRow[] {
    const resolved = this.#outcomes([...this.#entries.values()], ctx);
    return resolved.map(({ entry, outcome }) => toExplainRow(entry.meta, outcome));
  }

  list(): ToolMeta[] {
    return [...this.#entries.values()].map(({ meta }) => meta);
  }

  /** Registered sections in their order, then the others as they appear; empty ones are left out. */
  listBySection(): Array<ToolSection & { tools: ToolMeta[] }> {
    const bySection = new Map<string, ToolMeta[]>([...this.#sections.keys()].map((id) => [id, []]));
    for (const meta of this.list()) {
      const tools = bySection.get(meta.sectionId);
      if (tools) tools.push(meta);
      else bySection.set(meta.sectionId, [meta]);
    }
    return [...bySection]
      .filter(([, tools]) => tools.length > 0)
      .map(([id, tools]) => ({ id, label: this.#sections.get(id) ?? id, tools }));
  }

  has(name: string): boolean {
    return findEntry(this.#entries, name) !== undefined;
  }

  unregister(name: string): boolean {
    const entry = findEntry(this.#entries, name);
    return entry ? this.#entries.delete(entry.meta.id) : false;
  }

  /** Removes the tools; section labels stay. */
  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Hears of what is noticed from now on; the returned function ends that. */
  on(event: "diagnostic", listener: DiagnosticListener): () => void {
    if (event !== "diagnostic") {
      throw new ToolInputError(`A registry has no event "${event}"; the only one is "diagnostic".`);
    }
    return this.#diagnostics.listen(listener);
  }

  /** Notes something for anyone who listens or asks later. */
  report(diagnostic: Diagnostic): void {
    this.#diagnostics.report(diagnostic);
  }

  /** What was noticed so far, newest last, at most 200. */
  diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.recent();
  }

  #add(entry: Entry): void {
    const { meta } = entry;
    if (this.#entries.has(meta.id)) {
      this.#warn({
        code: "tool_replaced",
        toolId: meta.id,
        message: `Tool "${meta.id}" was registered again; the newer one counts.`,
      });
    }
    for (const message of explainTakenNames(this.#entries, entry)) {
      this.#warn({ code: "name_conflict", toolId: meta.id, message });
    }
    for (const profile of unknownProfiles(meta)) {
      this.#warn({
        code: "profile_unknown",
        toolId: meta.id,
        message: `Tool "${meta.id}" names the profile "${profile}", which does not exist.`,
      });
    }
    this.#entries.set(meta.id, entry);
  }

  #warn(warning: Omit<Diagnostic, "severity">): void {
    this.#diagnostics.report({ severity: "warning", ...warning });
  }

  #resolveEntries(entries: readonly Entry[], request: ResolveRequest): Tool[] {
    const resolved = this.#outcomes(entries, request.ctx ?? {});
    for (const { entry, outcome } of resolved) this.#tell(entry.meta, outcome, request.onError);
    if (request.options?.strict) {
      const rows = resolved.map(({ entry, outcome }) => toExplainRow(entry.meta, outcome));
      const absent = rows.filter((row) => row.status === "absent");
      if (absent.length > 0) throw new ToolResolutionError(absent);
    }
    return resolved.flatMap(({ outcome }) => outcome.tools);
  }

  /** Two tools of one name, in any case, would confuse every model: the first keeps it. */
  #outcomes(entries: readonly Entry[], ctx: ToolContext): Resolved[] {
    const owners = new Map<string, string>();
    return entries.map((entry) => {
      const outcome = this.#resolveOne(entry, { ctx, isAlone: entries.length === 1 });
      const tools: Tool[] = [];
      let taken: string | undefined;
      for (const tool of outcome.tools) {
        const name = nameOf(tool);
        const folded = foldName(name);
        if (owners.has(folded)) {
          taken = name;
        } else {
          owners.set(folded, entry.meta.id);
          tools.push(tool);
        }
      }
      if (taken === undefined) return { entry, outcome };
      const reason = `the name "${taken}" is taken by "${owners.get(foldName(taken))}", registered first; resolve it by its id`;
      return { entry, outcome: { tools, code: "name_conflict" as const, reason } };
    });
  }

  /** A factory may ask for one other tool; asking for itself, or for all, would never end. */
  #resolveOne(entry: Entry, request: { ctx: ToolContext; isAlone: boolean }): Outcome {
    const { ctx, isAlone } = request;
    const isFactory = typeof entry.source === "function";
    if (isFactory && (this.#busy.has(entry) || (this.#busy.size > 0 && !isAlone))) {
      const reason = "a factory asked the registry for it, or for all tools, while it was at work";
      return { tools: [], code: "declined", reason };
    }
    if (isFactory) this.#busy.add(entry);
    try {
      const report: RunRequest["report"] = (problem) =>
        this.#warn({ code: "update_callback_threw", toolId: entry.meta.id, ...problem });
      const offers = (name: string) => this.has(name);
      return resolveEntry(entry, { ctx, run: this.#run, report, offers });
    } finally {
      this.#busy.delete(entry);
    }
  }

  #tell(meta: ToolMeta, outcome: Outcome, onError: ResolveErrorCallback | undefined): void {
    const { code, cause } = outcome;
    const message = `Tool "${meta.id}" is left out: ${outcome.reason}.`;
    if (code === "name_conflict") this.#warn({ code, toolId: meta.id, message });
    if (!isFault(code)) return;
    this.#diagnostics.report({ code, severity: "error", toolId: meta.id, message, cause });
    onError?.(meta, cause);
  }
}

interface ResolveRequest {
  readonly ctx: ToolContext | undefined;
  readonly onError: ResolveErrorCallback | undefined;
  readonly options: ResolveOptions | undefined;
}
