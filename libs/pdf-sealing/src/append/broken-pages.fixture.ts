import { deflateSync } from 'node:zlib';
import { pagesPdf } from '../made-pdf.fixture.ts';

const RESOURCES =
  '/Resources << /Font << /F1 22 0 R >> /XObject << /Bad 23 0 R /Form 24 0 R /Image 25 0 R >> /ExtGState << /GS 26 0 R >> /Properties << /OC1 27 0 R >> >>';

/** A page of that content (or contents), with a font, a damaged picture, an unbalanced form, a transparent graphics state and a hidden layer at hand. */
export function pageOf(contents: readonly (string | { raw: Buffer; entries: string })[], attributes = ''): Buffer {
  const refs = contents.map((_, nth) => `${30 + nth} 0 R`).join(' ');
  const made = pagesPdf([`/MediaBox [0 0 400 600] /Contents [${refs}] ${RESOURCES} ${attributes}`])
    .object(1, '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [27 0 R] /D << /BaseState /ON /OFF [27 0 R] >> >> >>')
    .object(22, '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>')
    .stream(23, 'not a picture', '/Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode')
    .stream(24, 'q 1 0 0 1 5 5 cm q BT /F1 9 Tf (form', '/Type /XObject /Subtype /Form /BBox [0 0 99 99]')
    .stream(25, Buffer.alloc(81, 120), '/Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8')
    .object(26, '<< /Type /ExtGState /ca 0 /CA 0 /SMask /None >>')
    .object(27, '<< /Type /OCG /Name (Layer) >>'); // prettier-ignore
  contents.forEach((content, nth) =>
    typeof content === 'string' ? made.stream(30 + nth, content) : made.stream(30 + nth, content.raw, content.entries),
  );
  return made.bytes();
}

const OWN = 'BT /F1 12 Tf 40 500 Td (Propio) Tj ET\n';
const flate = (bytes: Buffer) => ({ raw: bytes, entries: '/Filter /FlateDecode' });
const deflated = deflateSync(OWN.repeat(40));
const damaged = Buffer.from(deflated);
damaged.fill(0x55, Math.floor(deflated.length / 2), Math.floor(deflated.length / 2) + 6);

/** Contents that leave something behind, or that readers cannot parse to their end. */
export const BROKEN_CONTENTS: Record<string, Parameters<typeof pageOf>[0]> = {
  'saves and never restores': [`${OWN}q 0.001 0 0 0.001 0 0 cm q q`],
  'restores too often': [`${OWN}Q Q Q 9999 0 0 9999 0 0 cm`],
  'clips everything away': [`${OWN}0 0 1 1 re W n`],
  'clips with nothing': [`${OWN}9 9 0 0 re W n`],
  'clips and does not paint the path': [`${OWN}0 0 1 1 re W`],
  'leaves a path': [`${OWN}0 0 m 400 600 l 0 600 l`],
  'scales to nothing': [`${OWN}0 0 0 0 0 0 cm`],
  'scales beyond all bounds': [`${OWN}1e30 0 0 1e30 1e30 1e30 cm`],
  'is transparent behind': [`${OWN}/GS gs`],
  'leaves text open': [`${OWN}BT /F1 9 Tf 3 Tr 20 20 Td (offen) Tj`],
  'leaves text open that clips': [`${OWN}BT /F1 9 Tf 7 Tr 20 20 Td (offen) Tj`],
  'ends text that was not begun': [`${OWN}ET ET`],
  'leaves hidden marked content open': [`${OWN}/OC /OC1 BDC`],
  'leaves hidden marked content and more open': [`${OWN}/OC /OC1 BDC /Span BMC [[`],
  'leaves marked content open': [`${OWN}/P << /MCID 0 >> BDC /Span BMC`],
  'ends marked content that was not begun': [`${OWN}EMC EMC EMC`],
  'leaves a string open': [`${OWN}BT /F1 9 Tf (offen`],
  'leaves a nested string open': [`${OWN}BT /F1 9 Tf (((offen) Tj ET`],
  'leaves a string open behind a backslash': [`${OWN}(offen\\`],
  'leaves a hexadecimal string open': [`${OWN}BT /F1 9 Tf <414`],
  'leaves an array open': [`${OWN}BT /F1 9 Tf [(a) 3 (b)`],
  'leaves nested arrays open': [`${OWN}[[[[[`],
  'leaves a dictionary open': [`${OWN}/Span << /A 1 /B << /C`],
  'leaves an inline picture without data': [`${OWN}BI /W 4 /H 4 /BPC 8 /CS /G`],
  'leaves an inline picture open': [`${OWN}BI /W 400 /H 400 /BPC 8 /CS /G ID abcdefgh`],
  'has an inline picture that is too short': [`${OWN}q 99 0 0 99 9 9 cm BI /W 40 /H 40 /BPC 8 /CS /G ID abcdefgh EI Q`],
  'has an inline picture that holds an EI': [`${OWN}q 9 0 0 9 9 9 cm BI /W 4 /H 3 /BPC 8 /CS /G ID ab EI q (q q EI Q`],
  'has an inline picture of unknown filter': [`${OWN}q BI /W 4 /H 3 /BPC 8 /CS /G /F /Nope ID ab q EI Q`],
  'has a procedure': [`${OWN}{ q q q`],
  'has closing brackets only': [`${OWN}>> ] } ) > ] >>`],
  'has unknown operators': [`${OWN}${'frobnicate 1 2 '.repeat(400)}`],
  'has operators without operands': [`${OWN}${'cm re Tf Tj TJ l c scn gs Do '.repeat(60)}`],
  'has too many operands': [`${OWN}${'1 '.repeat(5000)}`],
  'has broken numbers': [`${OWN}${'1.2.3 --4 5-6 +-+7 . - 8e9 '.repeat(80)} cm`],
  'draws a damaged picture': [`${OWN}${'/Bad Do '.repeat(150)}`],
  'draws a form that is unbalanced': [`${OWN}/Form Do`],
  'draws what is not there': [`${OWN}${'/Nothing Do '.repeat(150)}`],
  'uses a font that is not there': [`${OWN}BT /Nope 12 Tf (x) Tj ET`],
  'is cut in a keyword': [`${OWN}BT /F1 9 Tf (x) T`],
  'is cut in a number': [`${OWN}1 0 0 1 7`],
  'is cut in a name': [`${OWN}/F`],
  'ends in a comment': [`${OWN}% comment`],
  'holds zeros': [`${OWN}${'\0'.repeat(4000)}`],
  'holds binary rubbish': [`${OWN}${Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919 + (at >> 3) * 31) & 255)).toString('latin1')}`],
  'is deflated and cut': [flate(deflated.subarray(0, deflated.length - 12))],
  'is deflated and damaged': [flate(damaged)],
  'is no deflated data at all': [flate(Buffer.from('this is not deflated'))],
  'is damaged before a good part': [flate(damaged), OWN],
  'breaks a string over two parts': ['BT /F1 12 Tf 40 500 Td (Pro', 'pio) Tj ET q'],
  'breaks an operator over two parts': [`${OWN}q 1 0 0 1 0 0 c`, 'm'],
  'nests saves 600 deep': [`${OWN}${'q '.repeat(600)}`],
  'restores 600 times too often': [`${OWN}${'Q '.repeat(600)}`],
  'begins compatibility sections': [`${OWN}BX BX BX`],
  'defines a glyph': [`${OWN}0 0 0 0 9 9 d1`],
}; // prettier-ignore

/** Contents in several parts that cannot be joined without changing what some reader shows. */
export const REFUSED_CONTENTS: typeof BROKEN_CONTENTS = {
  'a damaged part before a good one': [flate(Buffer.from('this is not deflated')), OWN],
  'a part with an unknown filter': [OWN, { raw: Buffer.from('xx'), entries: '/Filter /Frobnicate' }],
  'a picture as a part': [OWN, { raw: Buffer.from('xx'), entries: '/Filter /DCTDecode' }],
};
