import { expect, it } from 'vitest';
import { type Key, keyChangesOf, newKeyOf } from './key-fields.tsx';

const formOf = (day: string): FormData => {
  const form = new FormData();
  form.set('name', 'ERP');
  form.set('expires_at', day);
  return form;
};

it('a key is valid until the end of its last day in Bogotá, and a form that keeps the day changes nothing', () => {
  expect(newKeyOf(formOf('2026-12-31'))).toMatchObject({ expires_at: '2027-01-01T00:00:00-05:00' });
  const key = {
    name: 'ERP',
    scopes: [] as string[],
    allowed_cidrs: null,
    expires_at: '2027-01-01T05:00:00.000Z',
  } as Key;
  expect(keyChangesOf(formOf('2026-12-31'), key)).toEqual({});
  expect(keyChangesOf(formOf(''), key)).toEqual({ expires_at: null });
});
