import { describe, expect, it } from 'vitest';
import { hasEnoughNames, isSameName } from './same-name.ts';

describe('the name of an envelope and that of a document', () => {
  it.each([
    ['Ana María Ñungo Peña', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Ñungo', 'NUNGO PENA ANA MARIA'],
    ['Ana María Ñungo', 'ÑUNGO ANA'],
    ['José de la Cruz', 'CRUZ JOSE'],
    ['Ana-María Ñungo', 'ÑUNGO PEÑA ANA MARIA'],
    ['Ana Mari\u0301a N\u0303ungo', 'ÑUNGO ANA MARÍA'],
    ['Juan Juan Pérez', 'PEREZ JUAN JUAN'],
    ['Jürgen Müller', 'MUELLER JUERGEN'],
    ['Jürgen Müller', 'MULLER JURGEN'],
    ['Juergen Mueller', 'Jürgen Müller'],
    ['Ju\u0308rgen Mu\u0308ller', 'MUELLER JURGEN'],
    ["Conor O'Brien", 'OBRIEN CONOR'],
    ['Conor O’Brien', "O'BRIEN CONOR"],
    ['Anna Groß', 'GROSS ANNA'],
    ['Søren Kjær', 'KJAER SOEREN'],
    ['Søren Kjær', 'KJAER SOREN'],
    ['Åsa Öberg', 'OEBERG AASA'],
    ['Łukasz Wałęsa', 'WALESA LUKASZ'],
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
    ['Jurgen Muller', 'MUELLER JUERGEN'],
    ["O'Brien", 'OBRIEN CONOR'],
  ])('are not the same: %s, %s', (written, document) => expect(isSameName(written, document)).toBe(false));
});

it.each([
  ['Ana Ñungo', true],
  ["Ana D'Acosta", true],
  ['Ana', false],
  ['Ana de la', false],
  ['— ’', false],
])('has a given name and a surname: %s, %s', (name, enough) => expect(hasEnoughNames(name)).toBe(enough));
