import { expect, it } from 'vitest';
import { fieldAt, lengthsIn } from './api-faults.ts';

it.each([
  ['Must be longer than or equal to 10 characters.', { least: 10 }], // as validation.spec.ts of libs/http expects them of the API
  ['Must be shorter than or equal to 500 characters.', { most: 500 }],
  ['Must be longer than or equal to 10 and shorter than or equal to 500 characters.', { least: 10, most: 500 }],
  ['Must not be longer than 64 characters.', { most: 64 }],
  ['Must not be blank: leave it out instead.', {}],
])('%s', (detail, lengths) => {
  expect(lengthsIn(detail)).toEqual(lengths);
});

it('a fault of a query marks its field, as one of a body does', () => {
  expect(['/query/bundle', '/payload/birth_date'].map(fieldAt)).toEqual(['bundle', 'payload/birth_date']);
});
