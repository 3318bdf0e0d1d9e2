// The supported MCP versions and their differences.

const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

const NEWEST: ProtocolVersion = "2025-11-25";

export type VersionTraits = ReturnType<typeof traitsOf>;

export function isProtocolVersion(value: unknown): value is ProtocolVersion {
  return PROTOCOL_VERSIONS.some((version) => version === value);
}

/** The requested version, else the newest. */
export function negotiateVersion(asked: unknown): ProtocolVersion {
  return isProtocolVersion(asked) ? asked : NEWEST;
}

/** Before `initialize`: those of the oldest version. */
export function traitsOf(version: ProtocolVersion = "2024-11-05") {
  return {
    hasBatches: version === "2025-03-26",
    hasAnnotations: version >= "2025-03-26",
    hasProgressText: version >= "2025-03-26",
    hasTitles: version >= "2025-06-18",
    /** Resource links in results, and questions to the client. */
    hasLinks: version >= "2025-06-18",
  };
}
