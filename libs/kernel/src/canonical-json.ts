/**
 * Serialises a JSON value canonically (RFC 8785, JCS): members sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them, no white space. Members that are undefined are left out. Throws TypeError on NaN, infinities
 * and lone surrogates.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError('canonical JSON has no NaN or infinity');
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('canonical JSON has no lone surrogates');
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value);
    if (text === undefined) throw new TypeError(`canonical JSON has no ${typeof value}`);
    return text;
  }
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  let members = '';
  // sort() compares UTF-16 code units.
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}
