// The versions of MCP that are spoken here, and in what they differ.

const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

const NEWEST: ProtocolVersion = "2025-11-25";

export interface VersionTraits {
  /** Several messages may be sent at once. */
  readonly hasBatches: boolean;
  /** Tools have hints about what they do. */
  readonly hasAnnotations: boolean;
  /** Tools have a title next to their name. */
  readonly hasTitles: boolean;
  /** Progress has a text. */
  readonly hasProgressText: boolean;
  /** A result may point to a resource, and a client may be asked questions. */
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

/** The one that was asked for, or our newest, which the client may then refuse. */
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
