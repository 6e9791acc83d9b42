import { expect, it } from 'vitest';
import { containsNumber } from './contains-number.ts';

it.each(['123456', '{"code":"123456"}', 'code=123456&', '/verify/123456', 'Su código es 123456.'])(
  'is found: %s',
  (text) => expect(containsNumber(text, '123456')).toBe(true),
);

it.each(['1764123456789', '0.123456', 'a123456f', '123456.5'])('is part of something else: %s', (text) =>
  expect(containsNumber(text, '123456')).toBe(false),
);
