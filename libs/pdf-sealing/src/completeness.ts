/** `%PDF-` stands within this many bytes, as at upload. */
const HEADER_WITHIN = 1_024;
const START_XREF = Buffer.from('startxref');
const OBJECT_HEADER = /(?:^|[^\d])\d{1,10}[\s\0]{1,8}\d{1,5}[\s\0]{1,8}obj(?![a-z])/;
const LINEARIZED =
  /\/Linearized\b[^>]{0,400}?\/L[\s\0]{1,8}(\d{1,10})|\/L[\s\0]{1,8}(\d{1,10})\b[^>]{0,400}?\/Linearized\b/;

/**
 * Why a file cannot be a whole PDF, as a sentence; undefined when it can. Readers repair a file that was cut, and show what is
 * left of it: sealing that would put a signature under half a document.
 */
export function incompleteness(pdf: Buffer): string | undefined {
  if (pdf.length === 0) return 'The document is empty.';
  const header = pdf.subarray(0, HEADER_WITHIN + 5).indexOf('%PDF-');
  if (header < 0) return 'The document is not a PDF: it does not begin with %PDF-.';

  const last = pdf.lastIndexOf(START_XREF);
  if (last < 0) return 'The document is cut: its end (startxref) is missing.';
  const tail = pdf.toString('latin1', last + START_XREF.length);
  const offset = /^[\s\0]{0,64}(\d{1,15})/.exec(tail);
  if (!offset) return 'The document is cut: its end (startxref) has no position.';
  if (OBJECT_HEADER.test(tail)) return 'The document is cut: objects follow its last cross-reference.';
  if (!tail.includes('%%EOF') && !pointsAtCrossReference(pdf, Number(offset[1]), header))
    return 'The document is cut: its end (%%EOF) is missing.';

  const linearized = LINEARIZED.exec(pdf.toString('latin1', 0, header + HEADER_WITHIN));
  const length = Number(linearized?.[1] ?? linearized?.[2] ?? 0);
  if (length > pdf.length) return `The document is cut: it says that it has ${length} bytes, and has ${pdf.length}.`;
  return undefined;
}

function pointsAtCrossReference(pdf: Buffer, offset: number, header: number): boolean {
  return [offset, offset + header].some((at) =>
    /^[\s\0]{0,8}(xref|\d{1,10}[\s\0]{1,8}\d{1,5}[\s\0]{1,8}obj)/.test(pdf.toString('latin1', at, at + 40)),
  );
}
