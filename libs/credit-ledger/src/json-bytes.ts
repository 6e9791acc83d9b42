/** About how many bytes a value takes as JSON, without writing it: texts count their characters, other scalars 8. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object' || value instanceof Date) return 8;
  if (ArrayBuffer.isView(value)) return 2 * value.byteLength;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += jsonBytes(item) + 1;
  else for (const [name, member] of Object.entries(value)) bytes += name.length + 4 + jsonBytes(member);
  return bytes;
}
