import type { Json } from '@constancia/kernel/json';
import type { SubjectPayload } from '../facts.ts';
import { text } from './value-types.ts';

const SEGMENT = '(?!(?:__proto__|prototype|constructor)(?:\\.|$))[A-Za-z0-9_-]{1,64}';
const PATH = new RegExp(`^${SEGMENT}(?:\\.${SEGMENT}){0,9}$`);

/** `city`, `beneficial_owners.0.name`: members and positions joined by dots, ten levels at most. */
export const payloadPath = text(PATH, 'a path into the payload (members and positions joined by dots, at most ten)');

/** Reads a path: own members only, so that no path ever reaches a prototype. Undefined where it leads nowhere. */
export function payloadReader(path: string): (payload: SubjectPayload) => Json | undefined {
  const segments = path.split('.');
  return (payload) => {
    let value: unknown = payload;
    for (const segment of segments) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, segment)) return undefined;
      if (Array.isArray(value) && !/^\d+$/.test(segment)) return undefined;
      value = (value as Record<string, unknown>)[segment];
    }
    return value as Json | undefined;
  };
}

/** Whether a value says anything: not null, blank, or empty. */
export function isGiven(value: Json | undefined): value is Json {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
