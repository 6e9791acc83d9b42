import type { Readable } from 'node:stream';
import { decodeCursor, encodeCursor } from '@constancia/kernel';
import { OpsRefusal } from './ops-refusal.ts';

const MAX_BODY_BYTES = 64 * 1024;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** How a member's text must be. */
export interface TextRule {
  /** Characters at the most; default 200. */
  max?: number;
  like?: RegExp;
  /** How it must be, in words: "must be …". */
  hint?: string;
}

/** A page of a list. */
export interface OpsPage<Row> {
  data: Row[];
  next_cursor: string | null;
}

/**
 * What an operator sent, as its query or as its JSON body, read member by member. Whatever is not as it must be is an OpsRefusal
 * with status 400 that names the member and says what it must be; so is a member that nobody asked for.
 */
export class OpsFields {
  private constructor(
    private readonly values: Readonly<Record<string, unknown>>,
    private readonly where: string,
  ) {}

  /** The members `names` of a query; a list's `limit` and `cursor` among them when it has pages. */
  static ofQuery(query: URLSearchParams, names: readonly string[]): OpsFields {
    const values: Record<string, unknown> = {};
    for (const [name, value] of query) {
      if (Object.hasOwn(values, name)) throw new OpsRefusal(400, `${name} stands twice in the query: give it once.`);
      values[name] = value;
    }
    return OpsFields.of(values, names, 'in the query');
  }

  /** The members `names` of a body, which is a JSON object or empty. */
  static async ofBody(body: Readable, names: readonly string[]): Promise<OpsFields> {
    const text = await textOf(body);
    let values: unknown;
    try {
      values = text.trim() === '' ? {} : JSON.parse(text);
    } catch {
      throw new OpsRefusal(400, 'The body is no JSON: send an object, such as {"reason": "…"}.');
    }
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new OpsRefusal(400, 'The body must be a JSON object, such as {"reason": "…"}.');
    }
    return OpsFields.of(values as Record<string, unknown>, names, 'in the body');
  }

  private static of(values: Record<string, unknown>, names: readonly string[], where: string): OpsFields {
    const strange = Object.keys(values).find((name) => !names.includes(name));
    if (strange !== undefined) {
      const known = names.length === 0 ? 'there is none' : `there are ${names.join(', ')}`;
      throw new OpsRefusal(400, `${JSON.stringify(strange.slice(0, 50))} is not known ${where}: ${known}.`);
    }
    return new OpsFields(values, where);
  }

  text(name: string, { max = 200, like, hint }: TextRule = {}): string | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value.trim() === '' || value.length > max) {
      this.refuse(name, hint ?? `must be a text of 1 to ${max} characters`);
    }
    // PostgreSQL keeps no NUL, and half a character is none.
    if (/\p{Cc}/u.test(value) || !value.isWellFormed()) {
      this.refuse(name, 'must be one line without control characters');
    }
    if (like && !like.test(value)) this.refuse(name, hint ?? 'has the wrong form');
    return value;
  }

  /** A whole number; a query gives it as digits. */
  whole(name: string, { min, max }: { min: number; max: number }): number | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < min || number > max) {
      this.refuse(name, `must be a whole number from ${min} to ${max}`);
    }
    return number;
  }

  flag(name: string): boolean | undefined {
    const value = this.given(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse(name, 'must be true or false');
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    const chosen = choices.find((choice) => choice === value);
    return chosen ?? this.refuse(name, `must be one of ${choices.join(', ')}`);
  }

  choices<T extends string>(name: string, among: readonly T[]): T[] | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    const chosen = Array.isArray(value) ? value.map((one: unknown) => among.find((choice) => choice === one)) : [];
    if (chosen.length === 0 || chosen.includes(undefined) || new Set(chosen).size < chosen.length) {
      this.refuse(name, `must be a list of ${among.join(', ')}, each once`);
    }
    return chosen as T[];
  }

  /** The beginning of the day when only a date (UTC) is given. */
  instant(name: string): Date | undefined {
    const value = this.given(name);
    if (value === undefined) return undefined;
    const formed = typeof value === 'string' && (DATE.test(value) || DATE_TIME.test(value));
    const at = formed ? new Date(value) : undefined;
    if (at === undefined || Number.isNaN(at.getTime()) || at.getTime() < 0 || !isDay(String(value).slice(0, 10))) {
      this.refuse(
        name,
        'must be a date (2026-11-21) or a date-time with its offset (2026-11-21T10:00:00Z), since 1970',
      );
    }
    return at;
  }

  /** `limit`: 1 to 500, 50 unless said. */
  limit(): number {
    return this.whole('limit', { min: 1, max: MAX_LIMIT }) ?? DEFAULT_LIMIT;
  }

  /** The keys of `cursor`, each of which must be of this kind; undefined on the first page. */
  cursor(keys: readonly ((key: string | number) => boolean)[]): (string | number)[] | undefined {
    const text = this.text('cursor', { max: 512 });
    if (text === undefined) return undefined;
    const read = decodeCursor(text, keys.length);
    if (!read?.every((key, nth) => keys[nth]?.(key))) {
      this.refuse('cursor', 'must be the next_cursor of an earlier page, as it is');
    }
    return read;
  }

  /** Refuses when a member that is needed is not there. */
  needed<T>(name: string, value: T | undefined, why = ''): T {
    if (value === undefined) throw new OpsRefusal(400, `${name} is missing ${this.where}${why && `: ${why}`}.`);
    return value;
  }

  /** `reason`, which an act that touches money or somebody's deliveries needs. */
  reason(): string {
    return this.needed('reason', this.text('reason', { max: 500 }), 'say why, for whoever reads the audit log');
  }

  private given(name: string): unknown {
    const value = this.values[name];
    return value === null || value === '' ? undefined : value;
  }

  private refuse(name: string, must: string): never {
    throw new OpsRefusal(400, `${name} ${this.where} ${must}.`);
  }
}

/** The page of rows that were read with one more than `limit`. */
export function opsPage<Row, Shown>(
  rows: readonly Row[],
  limit: number,
  keysOf: (row: Row) => (string | number)[],
  show: (row: Row) => Shown,
): OpsPage<Shown> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data: data.map(show), next_cursor: rows.length > limit && last ? encodeCursor(keysOf(last)) : null };
}

async function textOf(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new OpsRefusal(413, `The body has ${MAX_BODY_BYTES} bytes at the most.`);
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Date takes 31 February for 3 March. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
