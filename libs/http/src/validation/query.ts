import 'reflect-metadata';
import { ValidationError } from '@constancia/problem-json';
import { FORBIDDEN_NAMES, unknownMember } from './names.ts';
import { pointerTo } from './pointer.ts';

/**
 * Query parameters, which are all texts, with those converted that the request class declares as number, boolean or list. A text
 * that is not exactly one of these stays a text, so that the rules refuse it. An empty value counts as left out.
 */
export function convertQuery(query: unknown, cls: new () => object, root: string): Record<string, unknown> {
  const converted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (FORBIDDEN_NAMES.has(name)) throw new ValidationError([unknownMember(pointerTo(root, name))]);
    if (value === '') continue;
    const type: unknown = Reflect.getMetadata('design:type', cls.prototype as object, name);
    converted[name] = convert(value, type);
  }
  return converted;
}

function convert(value: unknown, type: unknown): unknown {
  if (type === Array) return Array.isArray(value) ? value : [value];
  if (typeof value !== 'string') return value;
  if (type === Number && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)) return Number(value);
  if (type === Boolean && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
