/** How the reader writes what entries hold. */
export interface AuditWords {
  /** Names of fields. */
  fields: Readonly<Record<string, string>>;
  /** Names of values that are words of the API, by field. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  yes: string;
  no: string;
  none: string;
  units: Record<'days' | 'seconds' | 'bytes', (count: string) => string>;
  number: (value: number) => string;
  money: (amount: number, currency: string | undefined) => string;
  dateOrClock: (iso: string) => string;
  roleOf: (role: string) => string;
}

/** Of an entry. */
interface AuditedValues {
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/;

const known = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What a field is called; one that nobody named stays as it is. */
export function auditFieldName(field: string, { fields }: Pick<AuditWords, 'fields'>): string {
  return known(fields, field) ?? field;
}

/** A value of a field in the reader's words; that of a field that nobody named stays as it is. */
export function auditValue(field: string, value: unknown, words: AuditWords): string {
  if (known(words.fields, field) === undefined) return typeof value === 'string' ? value : JSON.stringify(value);
  if (value === null || value === '') return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number') return numberOf(field, value, words);
  if (typeof value === 'string') return textOf(field, value, words);
  if (Array.isArray(value)) return value.map((one: unknown) => auditValue(field, one, words)).join(', ') || words.none;
  return isObject(value) ? membersOf(field, value, words) : String(value);
}

/** What the organization calls what an entry is about, such as rules by their code; null where an entry names no code. */
export function auditedName({ before, after }: AuditedValues, { fields }: Pick<AuditWords, 'fields'>): string | null {
  const { code, version } = after ?? before ?? {};
  if (typeof code !== 'string') return null;
  return typeof version === 'number' ? `${code}, ${fields.version?.toLowerCase()} ${version}` : code;
}

function numberOf(field: string, value: number, words: AuditWords): string {
  if (field === 'amount_cop') return words.money(value, 'COP');
  const count = words.number(value);
  if (field.endsWith('_days')) return words.units.days(count);
  if (field.endsWith('_seconds')) return words.units.seconds(count);
  return field === 'bytes' ? words.units.bytes(count) : count;
}

function textOf(field: string, value: string, words: AuditWords): string {
  if (field === 'role') return words.roleOf(value);
  if (/_(at|to)$/.test(field) && INSTANT.test(value)) return words.dateOrClock(value);
  return known(known(words.values, field) ?? {}, value) ?? value;
}

/** Groups are called what the tenant calls them; anything else has fields of its own. */
function membersOf(field: string, value: object, words: AuditWords): string {
  const pairs = Object.entries(value).map(([name, one]: [string, unknown]) =>
    field === 'role_map'
      ? `${name}: ${auditValue('role', one, words)}`
      : `${auditFieldName(name, words)}: ${auditValue(name, one, words)}`,
  );
  return pairs.join(field === 'role_map' ? ', ' : '; ') || words.none;
}
