import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { exampleOf } from './event-examples.ts';
import type { PayloadMember } from './payload-members.ts';

function fits(value: unknown, member: PayloadMember): boolean {
  if (value === null) return member.nullable === true;
  if (member.type === 'array') return Array.isArray(value);
  if (member.type === 'object') return typeof value === 'object';
  if (member.type === 'integer') return Number.isInteger(value);
  if (typeof value !== 'string' || (member.enum && !member.enum.includes(value))) return false;
  if (member.format === 'date-time') return new Date(value).toISOString() === value;
  return member.pattern === undefined || new RegExp(member.pattern).test(value);
}

describe('the example of an event', () => {
  it.each(Object.entries(EVENT_CATALOGUE))('%s is what the catalogue describes', (type, { payload }) => {
    const example = exampleOf(type);
    expect(Object.keys(example).sort()).toEqual(Object.keys(payload).sort());
    for (const [name, member] of Object.entries(payload)) expect(fits(example[name], member), name).toBe(true);
  });
});
