// Ids of entries: UUIDs, as files from elsewhere have them.

const GROUPS = [8, 12, 16, 20];
const VERSION_PLACE = 12;
const VARIANT_PLACE = 16;

/** `hex`: 16 random bytes. */
export function toUuid(hex: string): string {
  const marked = `${hex.slice(0, VERSION_PLACE)}4${hex.slice(VERSION_PLACE + 1, VARIANT_PLACE)}a${hex.slice(VARIANT_PLACE + 1)}`;
  return [0, ...GROUPS].map((from, index) => marked.slice(from, GROUPS[index])).join("-");
}
