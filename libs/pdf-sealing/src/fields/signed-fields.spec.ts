import { describe, expect, it } from 'vitest';
import { signatureMark, signedDrawings, signerName, tickedWithoutLabel } from './signed-fields.ts';
import type { CircuitSignerField, SignedSigner } from './signed-fields.ts';

const signer = (role: string, more: Partial<SignedSigner> = {}): SignedSigner => ({
  role,
  name: `Ana ${role}`,
  email: `${role}@people.example`,
  signature_type: 'typed',
  signature_text: `A. ${role}`,
  signature_image: null,
  field_values: { [`note-${role}`]: `from ${role}`, [`note-other`]: 'not theirs' },
  signed_at: new Date('2026-11-21T15:04:07Z'),
  ...more,
});
const field = (key: string, role: string, type: CircuitSignerField['type']): CircuitSignerField => ({
  ...{ key, type, signer: role, page: 1, x: 10, y: 20, width: 180, height: 48 },
});

describe('what those who signed left on the document', () => {
  it('is on their own fields alone, each signature with its caption', () => {
    const fields = [field('note-buyer', 'buyer', 'text'), field('sign-seller', 'seller', 'signature'), field('note-other', 'nobody', 'text')]; // prettier-ignore
    const texts = signedDrawings([signer('seller'), signer('buyer')], fields, 'en').map((drawing) =>
      'text' in drawing ? `${drawing.key}: ${drawing.text}` : drawing.kind,
    );
    expect(texts).toEqual([
      'sign-seller: A. seller',
      'rule',
      'sign-seller: Ana seller',
      'sign-seller: Signed electronically · 2026-11-21 10:04:07 UTC-5',
      'note-buyer: from buyer',
    ]);
  });

  it('is a label in words for each tick of theirs: on the document where its box has room, otherwise for the certificate', () => {
    const box = { ...field('wide', 'buyer', 'checkbox'), height: 14 };
    const fields = [
      { ...box, label: 'Acepto' },
      { ...box, key: 'small', width: 14, label: 'Recibí copia' },
      { ...box, key: 'plain', width: 14 },
      { ...box, key: 'blank', width: 14, label: 'No aceptado' },
      { ...box, key: 'note-other', width: 14, label: 'Nota' },
      { ...box, key: 'small-seller', signer: 'seller', width: 14, label: 'De otro' },
    ];
    const ticks = { wide: true, small: true, plain: true, blank: false, 'small-seller': true, 'note-other': 'x' };
    const buyer = signer('buyer', { field_values: ticks });
    const drawn = signedDrawings([buyer], fields, 'es-CO');
    expect(drawn.filter(({ kind }) => kind === 'checkmark')).toHaveLength(3);
    expect(drawn.flatMap((drawing) => ('text' in drawing ? [drawing.text] : []))).toEqual(['Acepto']);
    expect(tickedWithoutLabel(buyer, fields)).toEqual(['Recibí copia']);
  });

  it.each([
    ['as the tenant said', {}, 'Ana buyer'],
    ['as the signature says', { name: null }, 'A. buyer'],
    ['by a masked address', { name: null, signature_text: null }, 'b***@p***.example'],
  ])('names them %s', (_, more, name) => expect(signerName(signer('buyer', more))).toBe(name));

  it('is a drawn signature where one was drawn', () => {
    const image = new Uint8Array([1]);
    expect(signatureMark(signer('buyer', { signature_type: 'drawn', signature_image: image }))).toEqual({
      type: 'drawn',
      image,
    });
  });
});
