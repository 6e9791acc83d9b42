import fs from 'node:fs';
import path from 'node:path';
import { documentProblem } from '@constancia/reference-data';
import { describe, expect, it } from 'vitest';
import { SANDBOX_TRIGGERS, scripted, triggerOf } from './sandbox-triggers.ts';

const SANDBOX = { deployment: 'sandbox', tenant: 'sandbox' } as const;

describe('sandbox triggers', () => {
  it('are document numbers that a session can be opened with, each another one', () => {
    const numbers = SANDBOX_TRIGGERS.map(({ documentNumber }) => documentNumber);
    expect(numbers.map((number) => documentProblem('CC', 'CO', number))).toEqual(numbers.map(() => null));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each(SANDBOX_TRIGGERS)('have no effect outside a sandbox: $name', ({ name, documentNumber: number }) => {
    const document = { type: 'CC', country: 'CO', number };
    expect(triggerOf(SANDBOX, document)?.name).toBe(name);
    expect(triggerOf({ deployment: 'production', tenant: 'production' }, document)).toBeUndefined();
    expect(triggerOf({ deployment: 'production', tenant: 'sandbox' }, document)).toBeUndefined();
    expect(triggerOf({ deployment: 'sandbox', tenant: 'production' }, document)).toBeUndefined();
  });

  it('stand in the guide, each with its number', () => {
    const guide = path.resolve(import.meta.dirname, '../../../../../docs/guides/identity.md');
    const rows = [...fs.readFileSync(guide, 'utf8').matchAll(/^\| (\d{10}) \| (\w+)/gm)];
    expect(rows.map(([, documentNumber, name]) => ({ documentNumber, name }))).toEqual(
      SANDBOX_TRIGGERS.map(({ documentNumber, name }) => ({ documentNumber, name })),
    );
  });

  it('are no other type, country or number', () => {
    expect(triggerOf(SANDBOX, { type: 'CE', country: 'CO', number: '1999000001' })).toBeUndefined();
    expect(triggerOf(SANDBOX, { type: 'CC', country: 'VE', number: '1999000001' })).toBeUndefined();
    expect(triggerOf(SANDBOX, { type: 'CC', country: 'CO', number: '1098765432' })).toBeUndefined();
  });

  it('say how each attempt ends, the last word for all that follow', () => {
    expect([1, 2, 3].map((attempt) => scripted('retry', 'face', attempt).outcome)).toEqual(['retry', 'pass', 'pass']);
    expect([1, 2, 9].map((attempt) => scripted('attempts_used_up', 'document', attempt).outcome)).toEqual(
      Array.from({ length: 3 }, () => 'retry'),
    );
    expect(scripted('approve', 'sarlaft', 1)).toEqual({ outcome: 'pass', reason: null });
  });
});
