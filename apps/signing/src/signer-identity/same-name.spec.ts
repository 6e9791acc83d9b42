import { describe, expect, it } from 'vitest';
import { isSameName } from './same-name.ts';

describe('the name of an envelope and that of a document', () => {
  it.each([
    ['Ana María Ñungo Peña', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Ñungo', 'NUNGO PENA ANA MARIA'],
    ['Ana María Ñungo', 'ÑUNGO ANA'],
    ['José de la Cruz', 'CRUZ JOSE'],
    ['Ana-María Ñungo', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Mari\u0301a N\u0303ungo', 'ÑUNGO ANA MARÍA'],
    ['Juan Juan Pérez', 'PEREZ JUAN JUAN'],
  ])('are the same: %s, %s', (written, document) => expect(isSameName(written, document)).toBe(true));

  it.each([
    ['Ana', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Ñungo', 'ANA'],
    ['Ana de la', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Gómez', 'ÑUNGO PEÑA ANA MARIA'],
    ['Anita Ñungo', 'ÑUNGO PEÑA ANA MARIA'],
    ['Juan Juan', 'PEREZ JUAN'],
    ['', ''],
    ['Ana Ñungo Gómez', 'ÑUNGO PEÑA ANA MARIA'],
    ['Aná Ñungо', 'ÑUNGO ANA'], // a Cyrillic о
  ])('are not the same: %s, %s', (written, document) => expect(isSameName(written, document)).toBe(false));
});
