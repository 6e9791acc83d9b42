import type { IdPrefix } from '@constancia/kernel';

/**
 * What the texts, numbers and lists that cross the API look like, in JSON Schema's words: for descriptions of requests (whose rules
 * enforce them) and of answers (which tests hold to them). Lengths are counted in characters.
 */

/** The largest number of PostgreSQL's integer, which most counts are kept in. */
export const MAX_INT32 = 2_147_483_647;

/** A text without NUL: request bodies and addresses that hold one are refused, and PostgreSQL keeps none. */
export const TEXT_PATTERN = '^[^\\u0000]*$';

/** A TypeID: the prefix, `_`, and 26 characters of base32. */
function id(prefix: IdPrefix) {
  return { pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, maxLength: prefix.length + 27 };
}

function text(maxLength: number) {
  return { pattern: TEXT_PATTERN, maxLength };
}

/** A whole number from 0, or from another least one. */
function count(maximum: number = MAX_INT32, minimum = 0) {
  return { type: 'integer' as const, format: maximum > MAX_INT32 ? 'int64' : 'int32', minimum, maximum };
}

export const shape = {
  id,
  text,
  count,
  /** 1, 2, 3 …: a version, a page, a position in a trail. */
  ordinal: count(MAX_INT32, 1),
  /** Sums, balances and epoch seconds: what JavaScript holds exactly. */
  wide: count(Number.MAX_SAFE_INTEGER),
  signed: count(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
  /** A stable word of the API: a reason, a code of a broken rule. */
  word: { pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 },
  /** What a validation, a flow, a template or a circuit is called by its tenant. */
  code: { pattern: '^[a-z0-9_-]{1,64}$', maxLength: 64 },
  /** A rule, or a node of its graph. */
  ruleCode: { pattern: '^[A-Za-z0-9_.:-]{1,64}$', maxLength: 64 },
  /** A signer's part in a circuit. */
  role: { pattern: '^[a-z0-9_-]{1,32}$', maxLength: 32 },
  /** A placeholder of a template, or a field of a circuit. */
  fieldKey: { pattern: '^[A-Za-z0-9_.-]{1,64}$', maxLength: 64 },
  eventType: { pattern: '^[a-z_]+(?:\\.[a-z_]+){1,3}$', maxLength: 64 },
  /** E.164. */
  phone: { type: 'string', pattern: '^\\+[1-9]\\d{7,14}$', maxLength: 16 },
  /** Names a sealed envelope on the page where anybody verifies it: 128 bits in base62. */
  publicId: { pattern: '^[0-9A-Za-z]{22}$', maxLength: 22 },
  /** A version of a restrictive list: its number and how its hash begins; of two that are looked at together, both. */
  listVersion: text(200),
  /** A date, or a date-time with its offset: where a period begins or ends. */
  period: {
    pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:Z|[+-]\\d{2}:\\d{2}))?$',
    maxLength: 35,
  },
  /** Of restrictive lists, whose files are refused beyond. */
  listEntry: { id: text(512), text: text(10_000), programmes: 1_000 },
  /** A day of the calendar. */
  day: { pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 },
  sha256: { pattern: '^[0-9a-f]{64}$', maxLength: 64 },
  /** A signature of an RSA key of at most 4,096 bits, hex. */
  signature: { pattern: '^(?:[0-9a-f]{2})+$', maxLength: 1024 },
  /** What a key is called in the key management service. */
  keyArn: text(2048),
  /** A request's header: all of them together may have 64 KB. */
  header: text(65_536),
  /** A PDF: an uploaded one of 25 MiB at most, with what is drawn on it, its certificate of completion and its seal. */
  pdf: { type: 'string' as const, format: 'binary', maxLength: 67_108_864 },
  etag: { pattern: '^"[0-9a-f]{64}"$', maxLength: 66 },
  /** A page's cursor. */
  cursor: { pattern: '^[A-Za-z0-9_-]+$', maxLength: 512 },
  /** A list that grows as long as its thing lives: as many as PostgreSQL's integer, which numbers them, can count. */
  growing: { maxItems: MAX_INT32 },
  /** A page of a list. */
  page: { maxItems: 100 },
} as const;
