// The supported MCP versions and their differences.

const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

const NEWEST: ProtocolVersion = "2025-11-25";

export interface VersionTraits {
  readonly hasBatches: boolean;
  readonly hasAnnotations: boolean;
  readonly hasTitles: boolean;
  readonly hasProgressText: boolean;
  /** Resource links in results, and questions to the client. */
  readonly hasLinks: boolean;
}

const TRAITS = {
  "2024-11-05": traits({}),
  "2025-03-26": traits({ hasBatches: true, hasAnnotations: true, hasProgressText: true }),
  "2025-06-18": traits({
    hasAnnotations: true,
    hasProgressText: true,
    hasTitles: true,
    hasLinks: true,
  }),
  "2025-11-25": traits({
    hasAnnotations: true,
    hasProgressText: true,
    hasTitles: true,
    hasLinks: true,
  }),
} as const satisfies Record<ProtocolVersion, VersionTraits>;

export function isProtocolVersion(value: unknown): value is ProtocolVersion {
  return PROTOCOL_VERSIONS.some((version) => version === value);
}

/** The requested version, else the newest. */
export function negotiateVersion(asked: unknown): ProtocolVersion {
  return isProtocolVersion(asked) ? asked : NEWEST;
}

export function traitsOf(version: ProtocolVersion): VersionTraits {
  return TRAITS[version];
}

function traits(given: Partial<VersionTraits>): VersionTraits {
  return {
    hasBatches: false,
    hasAnnotations: false,
    hasTitles: false,
    hasProgressText: false,
    hasLinks: false,
    ...given,
  };
}
