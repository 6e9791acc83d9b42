import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consentText } from './consent-texts.ts';

/** The evidence of signatures names these: a text that changes gets another version, and its own line here. */
const PUBLISHED = {
  '2026-11': {
    'es-CO': 'f9560db711a209e32d1d6d396dd12ec5b14d29295c748263a5097a43b7706689',
    en: '77bbe7e50cd97f51e62ad28214b02f0d0e311b689970cf6ae5ee75586ad75531',
  },
};

describe('the text that signers agree to', () => {
  it.each(['es-CO', 'en'] as const)(
    'in %s is the published one of its version, and its hash is that of its bytes',
    (locale) => {
      const { version, text, sha256 } = consentText(locale);
      expect(createHash('sha256').update(text, 'utf8').digest('hex')).toBe(sha256);
      expect(PUBLISHED[version as keyof typeof PUBLISHED][locale]).toBe(sha256);
      expect(text).toBe(text.normalize('NFC'));
    },
  );

  it.each([
    ['es-CO', /Ley 527 de 1999.*Decreto 2364 de 2012/],
    ['es-CO', /copia en papel/],
    ['es-CO', /retirarlo sin costo/],
    ['es-CO', /vale solo para este documento/],
    ['es-CO', /navegador actualizado/],
    ['es-CO', /conservarlo durante el tiempo que exija la ley/],
    ['en', /Law 527 of 1999 and Decree 2364 of 2012.*ESIGN and UETA/],
    ['en', /copy on paper/],
    ['en', /withdraw at no cost/],
    ['en', /covers this document and the notices about it, nothing else/],
    ['en', /up-to-date browser/],
    ['en', /keep it for as long as the law requires/],
  ] as const)('in %s says %s', (locale, words) => expect(consentText(locale).text).toMatch(words));
});
