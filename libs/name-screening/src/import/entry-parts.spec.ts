import { describe, expect, it } from 'vitest';
import { countryCode } from './country-code.ts';
import { multiValues } from './csv-table.ts';
import { addIdentifier, givenFirst, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';

describe('a name', () => {
  it.each([
    ['FICTICIO EJEMPLO, Ernesto', 'Ernesto FICTICIO EJEMPLO'],
    ['FICTICIO, Ernesto, Jr.', 'Ernesto FICTICIO Jr.'],
    ['FICTICIO', 'FICTICIO'],
    ['ONE, Two, Three', 'ONE, Two, Three'],
    ['FICTICIO,', 'FICTICIO,'],
  ])('of a person, %s, has its given names first: %s', (name, expected) => {
    expect(givenFirst(name)).toBe(expected);
  });
});

describe('a country', () => {
  it.each([
    ['Korea, North', 'KP'],
    ["Democratic People's Republic of Korea", 'KP'],
    ['Congo, Democratic Republic of the', 'CD'],
    ['Iran (Islamic Republic of)', 'IR'],
    ['Region: Gaza', 'PS'],
    ['possibly Palestinian', 'PS'],
    ['The Gambia', 'GM'],
    ['Bahamas, The', 'BS'],
    ['Türkiye', 'TR'],
    ['Cote d Ivoire', 'CI'],
    ['co', 'CO'],
  ])('%s is %s', (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  it('is empty where the list does not know it, and undefined where this service does not', () => {
    expect(['00', 'undetermined', 'n/a', ''].map(countryCode)).toEqual(['', '', '', '']);
    expect(countryCode('Ruritania')).toBeUndefined();
    expect(countryCode('constructor')).toBeUndefined();
  });
});

describe('an identifier', () => {
  it.each([
    ['Cedula No.', 'CO', 'CC'],
    ['Cedula No.', 'VE', 'Cedula No.'],
    ['Cédula de Extranjería', 'CO', 'CE'],
    ['NIT', 'CO', 'NIT'],
    ['NIT', 'GT', 'NIT'],
    ['Numéro de passeport', 'FR', 'PA'],
    ['Número de pasaporte', undefined, 'PA'],
    ['National ID No.', 'CO', 'National ID No.'],
  ])('called %s, of %s, has the type %s', (word, country, type) => {
    expect(identifierType(word, country)).toBe(type);
  });

  it('of a ship is its IMO number, whatever it is called', () => {
    const entry = newEntry('1', 'vessel');
    addIdentifier(entry, 'Vessel Registration Identification', 'IMO 9999999');
    addIdentifier(entry, 'Identification Number', 'IMO 9999999');
    expect(entry.identifiers).toEqual([{ type: 'IMO', number: '9999999' }]);
  });
});

describe('a cell with several values', () => {
  it('is split at semicolons, but not within quotes', () => {
    expect(multiValues('Foo; Bar')).toEqual(['Foo', 'Bar']);
    expect(multiValues('"Foo; Bar"; Baz; "He said ""no"""')).toEqual(['Foo; Bar', 'Baz', 'He said "no"']);
    expect(multiValues(' ;; ')).toEqual([]);
    expect(multiValues('5" pipe; x')).toEqual(['5" pipe', 'x']);
  });
});
