// The registry of connectors: find one by id, by provider or by transport.
// It holds what it is given and knows no provider of its own.

import type { Api, Connector } from "../core/connector.js";
import { ToolInputError } from "../core/index.js";

export class ConnectorRegistry implements Iterable<Connector> {
  /** In order of registration; provider and transport are looked up in it, so nothing can go stale. */
  readonly #connectors = new Map<string, Connector>();

  /** The same id replaces the earlier connector and counts as newly registered. */
  register(connector: Connector): void {
    assertConnector(connector);
    this.#connectors.delete(connector.id);
    this.#connectors.set(connector.id, connector);
  }

  get(id: string): Connector | undefined {
    return this.#connectors.get(id);
  }

  /** The last registered of the provider; when that one is removed, the one before it again. */
  getByProvider(provider: string): Connector | undefined {
    return this.list().findLast((connector) => connector.provider === provider);
  }

  getByApi(api: Api): Connector[] {
    return this.list().filter((connector) => connector.api === api);
  }

  list(): Connector[] {
    return [...this.#connectors.values()];
  }

  /** Walks a copy, so that the loop body may register and remove. */
  [Symbol.iterator](): Iterator<Connector> {
    return this.list()[Symbol.iterator]();
  }

  listProviders(): string[] {
    return [...new Set(this.list().map((connector) => connector.provider))];
  }

  has(id: string): boolean {
    return this.#connectors.has(id);
  }

  unregister(id: string): boolean {
    return this.#connectors.delete(id);
  }

  clear(): void {
    this.#connectors.clear();
  }

  get size(): number {
    return this.#connectors.size;
  }
}

/** Connectors also come from plugins, that is from code that no compiler of ours has seen. */
function assertConnector(connector: unknown): void {
  if (typeof connector !== "object" || connector === null) {
    throw new ToolInputError("a connector must be an object with id, provider, api and stream.");
  }
  for (const field of ["id", "provider", "api"]) {
    const value: unknown = Reflect.get(connector, field);
    if (typeof value !== "string" || value.trim() === "") {
      throw new ToolInputError(`connector.${field} must be a text that is not blank.`);
    }
  }
  if (typeof Reflect.get(connector, "stream") !== "function") {
    throw new ToolInputError("connector.stream must be a function.");
  }
}
