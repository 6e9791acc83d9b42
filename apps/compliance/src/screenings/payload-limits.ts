/** Bounds of a screening's payload; the published members have their own. */
export const PAYLOAD_LIMITS = {
  /** Of the payload as JSON. */
  bytes: 64 * 1024,
  depth: 8,
  /** Members and items, all levels together. */
  values: 2_000,
  /** Characters of a name of a person or organization. */
  name: 1_000,
  /** Characters of any other text. */
  text: 4_000,
  /** Characters of a member's name. */
  member: 128,
  /** Parties of one role. */
  parties: 50,
} as const;
