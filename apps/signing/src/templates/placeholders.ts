import { pointerTo } from '@constancia/http';
import type { FieldError } from '@constancia/problem-json';
import type { Placeholder } from './template.entity.ts';

const PLACEHOLDER_LIMITS = {
  headerBytes: 8 * 1024,
  items: 200,
  key: /^[A-Za-z0-9_.-]{1,64}$/,
  sizeMin: 4,
  sizeMax: 144,
  sizeDefault: 12,
  /** The largest side of a page (ISO 32000-1, annex C.2). */
  maxWidthMost: 14_400,
} as const;

const { sizeMin: SIZE_MIN, sizeMax: SIZE_MAX, maxWidthMost: MAX_WIDTH_MOST } = PLACEHOLDER_LIMITS;
const ROOT = '/headers/X-Placeholders';
const MEMBERS = new Set(['key', 'page', 'x', 'y', 'size', 'required', 'max_width']);

/** What the header X-Placeholders says, or everything that is wrong with it. */
export interface ParsedPlaceholders {
  placeholders: Placeholder[];
  errors: FieldError[];
}

/** Reads the header X-Placeholders: a JSON array of placeholders. A missing header means none. */
export function parsePlaceholders(header: string | undefined): ParsedPlaceholders {
  if (header === undefined) return { placeholders: [], errors: [] };
  if (Buffer.byteLength(header) > PLACEHOLDER_LIMITS.headerBytes) {
    return refused('too_long', `X-Placeholders takes at most ${PLACEHOLDER_LIMITS.headerBytes} bytes.`);
  }
  let items: unknown;
  try {
    items = JSON.parse(header);
  } catch {
    return refused('wrong_format', 'X-Placeholders must be a JSON array of placeholder objects.');
  }
  return readPlaceholders(items, ROOT);
}

/** Reads placeholders that are JSON already, or everything that is wrong with them. `root`: where pointers begin. */
export function readPlaceholders(items: unknown, root: string): ParsedPlaceholders {
  if (!Array.isArray(items)) return refused('wrong_type', 'Must be a JSON array of placeholder objects.', root);
  if (items.length > PLACEHOLDER_LIMITS.items) {
    return refused('too_many', `A template has at most ${PLACEHOLDER_LIMITS.items} placeholders.`, root);
  }
  const errors = items.flatMap((item: unknown, index) => itemErrors(item, `${root}/${index}`));
  return errors.length > 0 ? { placeholders: [], errors } : { placeholders: items.map(placeholderOf), errors };
}

function refused(code: string, detail: string, pointer: string = ROOT): ParsedPlaceholders {
  return { placeholders: [], errors: [{ pointer, code, detail }] };
}

interface Rule {
  member: keyof Placeholder;
  /** Code of the broken rule; null when the value is fine. */
  broken: (value: unknown) => string | null;
  detail: string;
}

const RULES: Rule[] = [
  { member: 'key', broken: brokenKey, detail: 'key must match ^[A-Za-z0-9_.-]{1,64}$.' },
  { member: 'page', broken: brokenPage, detail: 'page must be an integer from 1.' },
  { member: 'x', broken: brokenNumber, detail: 'x must be a finite number of PDF points.' },
  { member: 'y', broken: brokenNumber, detail: 'y must be a finite number of PDF points.' },
  { member: 'size', broken: brokenSize, detail: `size must be a number from ${SIZE_MIN} to ${SIZE_MAX}.` },
  { member: 'required', broken: brokenRequired, detail: 'required must be true or false.' },
  {
    member: 'max_width',
    broken: brokenMaxWidth,
    detail: `max_width must be a number of PDF points from ${SIZE_MIN} to ${MAX_WIDTH_MOST}.`,
  },
];

function itemErrors(item: unknown, pointer: string): FieldError[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    return [
      {
        pointer,
        code: 'wrong_type',
        detail: 'A placeholder is an object with key, page, x, y, size, required and max_width.',
      },
    ];
  }
  const members = item as Record<string, unknown>;
  const errors: FieldError[] = [];
  for (const { member, broken, detail } of RULES) {
    const code = broken(members[member]);
    if (code) errors.push({ pointer: `${pointer}/${member}`, code, detail });
  }
  for (const member of Object.keys(members).filter((name) => !MEMBERS.has(name))) {
    errors.push({
      pointer: pointerTo(pointer, member),
      code: 'unknown_member',
      detail: 'A placeholder has no such member.',
    });
  }
  return errors;
}

function brokenKey(value: unknown): string | null {
  if (value === undefined) return 'required';
  if (typeof value !== 'string') return 'wrong_type';
  return PLACEHOLDER_LIMITS.key.test(value) ? null : 'wrong_format';
}

function brokenNumber(value: unknown): string | null {
  if (value === undefined) return 'required';
  if (typeof value !== 'number') return 'wrong_type';
  return Number.isFinite(value) ? null : 'out_of_range';
}

function brokenPage(value: unknown): string | null {
  const broken = brokenNumber(value);
  if (broken) return broken;
  if (!Number.isSafeInteger(value)) return 'wrong_type';
  return (value as number) >= 1 ? null : 'out_of_range';
}

function brokenSize(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'number') return 'wrong_type';
  return value >= SIZE_MIN && value <= SIZE_MAX ? null : 'out_of_range';
}

function brokenRequired(value: unknown): string | null {
  return value === undefined || typeof value === 'boolean' ? null : 'wrong_type';
}

function brokenMaxWidth(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'number') return 'wrong_type';
  return value >= SIZE_MIN && value <= MAX_WIDTH_MOST ? null : 'out_of_range';
}

function placeholderOf(item: Placeholder): Placeholder {
  const { key, page, x, y, size = PLACEHOLDER_LIMITS.sizeDefault, required = false, max_width } = item;
  return { key, page, x, y, size, required, ...(max_width !== undefined && { max_width }) };
}
