import { describe, expect, it } from 'vitest';
import { localeOf } from './locale.ts';

describe('the language of mails to an owner', () => {
  it.each([
    [undefined, 'es-CO'],
    ['', 'es-CO'],
    ['*', 'es-CO'],
    ['fr-FR, de', 'es-CO'],
    ['en', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['fr, en;q=0.3', 'en'],
    ['es-CO,en;q=0.9', 'es-CO'],
    ['es;q=0.4, en;q=0.9', 'en'],
    ['en;q=0, es', 'es-CO'],
    [',;,;q=;=', 'es-CO'],
  ])('of Accept-Language %j is %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale);
  });
});
