import { asPdfText } from './pdf-text.ts';
import type { CompiledPage, CompiledTemplate } from './compiled-template.ts';
import type { Hole, SealOptions } from './revision.ts';

/** Hidden from no one, but without a mark on the page: printed, and locked (ISO 32000-1, table 165). */
const PRINT_AND_LOCKED = 132;
const BYTE_RANGE = '/ByteRange [0 0000000000 0000000000 0000000000]';
const CONTENTS = '/Contents <';

/** Makes the signature a certification that permits no change afterwards (DocMDP, ISO 32000-1, 12.8.2.2). Stands before /ByteRange. */
export const NO_CHANGES =
  '/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>] ';

/** A signature dictionary with room for what it covers and for the signature. */
export function signatureDictionary(
  { signatureBytes, signedAt, reason, signerName, kind }: SealOptions,
  certifies: boolean,
): string {
  if (kind === 'timestamp')
    return `<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 ${BYTE_RANGE} ${CONTENTS}${'0'.repeat(signatureBytes * 2)}> >>`;
  const texts = [
    signedAt && `/M (D:${signedAt.replaceAll(/[-:T]/g, '').slice(0, 14)}Z) `,
    reason && `/Reason ${asPdfText(reason)} `,
    signerName && `/Name ${asPdfText(signerName)} `,
  ];
  return [
    '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached ',
    `${certifies ? NO_CHANGES : ''}${BYTE_RANGE} ${CONTENTS}${'0'.repeat(signatureBytes * 2)}> `,
    ...texts.map((text) => text ?? ''),
    '>>',
  ].join('');
}

/** The field and its widget in one, on the first page. */
export function signatureField(
  { form }: CompiledTemplate,
  fieldName: string,
  signature: string,
  page: CompiledPage,
): string {
  let name = fieldName;
  for (let nth = 2; form.names.has(name); nth++) name = `${fieldName}${nth}`;
  return [
    `<< /Type /Annot /Subtype /Widget /FT /Sig /T ${asPdfText(name)} /V ${signature} `,
    `/F ${PRINT_AND_LOCKED} /Rect [0 0 0 0] /P ${page.id.number} ${page.id.generation} R >>`,
  ].join('');
}

/** Finds the hole in the update, and writes into its dictionary what the signature covers. `start`: the dictionary's offset in the file. */
export function hole(
  delta: Buffer,
  baseLength: number,
  { start, signatureBytes }: { start: number; signatureBytes: number },
): Hole {
  const dictionary = start - baseLength;
  const open = delta.indexOf(CONTENTS, dictionary) + CONTENTS.length - 1;
  const hexLength = signatureBytes * 2;
  const offset = baseLength + open;
  const behind = offset + hexLength + 2;
  const byteRange: Hole['byteRange'] = [0, offset, behind, baseLength + delta.length - behind];
  const at = delta.indexOf(BYTE_RANGE, dictionary);
  delta.write(`/ByteRange [${byteRange.join(' ')}]`.padEnd(BYTE_RANGE.length), at, 'latin1');
  return { byteRange, contents: { offset, hexLength } };
}
