import { describe, expect, it } from 'vitest';
import { cedulaPayload } from '../rendered/cedula-card.fixture.ts';
import type { CedulaFields } from '../rendered/cedula-card.fixture.ts';
import { parseCedula } from './cedula-layout.ts';

const PERSON: CedulaFields = {
  documentNumber: '1032456789',
  surname1: 'NUÑEZ',
  surname2: 'GÜIZA',
  givenName1: 'MARÍA',
  givenName2: 'JOSÉ',
  sex: 'F',
  birthDate: '1994-02-28',
};
const READ = {
  prefix: '03',
  documentNumber: '1032456789',
  surnames: 'NUÑEZ GÜIZA',
  givenNames: 'MARÍA JOSÉ',
  sex: 'F',
  birthDate: '1994-02-28',
};

describe('the 531 bytes of a yellow cédula', () => {
  it('are read as Latin-1 up to their padding', () => {
    expect(parseCedula(cedulaPayload(PERSON))).toEqual(READ);
  });

  it('are read in the variant without PubDSK_1, whose fields stand one byte later', () => {
    expect(parseCedula(cedulaPayload({ ...PERSON, unmarked: true }))).toEqual(READ);
  });

  it('are read where the unmarked variant is one byte shorter instead', () => {
    const payload = cedulaPayload({ ...PERSON, unmarked: true });
    expect(parseCedula(Buffer.concat([payload.subarray(0, 24), payload.subarray(26)]))).toEqual(READ);
  });

  it.each(['O+', 'A-', 'AB+', 'AB-'])('are read with blood group %s, however long it is', (blood) => {
    expect(parseCedula(cedulaPayload({ ...PERSON, blood }))).toEqual(READ);
  });

  it('drop the zeros before an old number, and the space of a name left out', () => {
    const old = { ...PERSON, documentNumber: '4321987', surname2: undefined, givenName2: undefined };
    expect(parseCedula(cedulaPayload(old))).toMatchObject({
      documentNumber: '4321987',
      surnames: 'NUÑEZ',
      givenNames: 'MARÍA',
    });
  });

  it('say when the card is a minor’s', () => {
    expect(parseCedula(cedulaPayload({ ...PERSON, minor: true }))?.prefix).toBe('I3');
  });

  it('keep a birth date that is no day out', () => {
    expect(parseCedula(cedulaPayload({ ...PERSON, birthDate: '1994-02-30' }))?.birthDate).toBeNull();
  });

  it('give nothing of what follows the text: fingerprint templates stay unread', () => {
    const payload = cedulaPayload(PERSON);
    const blank = Buffer.concat([payload.subarray(0, 170), Buffer.alloc(361)]);
    expect(parseCedula(payload)).toEqual(parseCedula(blank));
  });

  it.each([
    ['too few bytes', Buffer.alloc(80)],
    ['zeros', Buffer.alloc(531)],
    ['noise', Buffer.from(Array.from({ length: 531 }, (_, at) => (at * 97 + 13) & 255))],
    ['another barcode’s text', Buffer.from('@ANSI 636000100002DL00410278ZV03190008DLDAQT64235789'.repeat(11))],
  ])('are not taken from %s', (_, bytes) => {
    expect(parseCedula(bytes)).toBeNull();
  });

  it('are not taken when a name holds control characters', () => {
    const payload = cedulaPayload(PERSON);
    payload[60] = 0x1b;
    expect(parseCedula(payload)).toBeNull();
  });
});
