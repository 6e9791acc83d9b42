import { inflateSync } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';

/** How a page's content leaves the stack of graphics states: `below` its start at the lowest, `net` at the end. */
export interface ContentBalance {
  below: number;
  net: number;
}

const BALANCED: ContentBalance = { below: 0, net: 0 };
/** Content that one template may have looked at, inflated. Beyond, pages are taken for balanced, as nearly all are. */
const MOST_BYTES = 48 * 1024 * 1024;
const MOST_BYTES_OF_ONE = 8 * 1024 * 1024;

/**
 * Counts q and Q in pages' contents. A page may save the graphics state and never restore it, or restore too often: what is
 * drawn after it would be moved and scaled with it.
 */
export class ContentBalances {
  private left = MOST_BYTES;

  of(streams: readonly (PDFObject | undefined)[]): ContentBalance {
    const parts: Buffer[] = [];
    for (const stream of streams) {
      const bytes = stream instanceof PDFRawStream ? this.decoded(stream) : undefined;
      if (!bytes) return BALANCED;
      parts.push(bytes, Buffer.from('\n'));
    }
    return balanceOf(Buffer.concat(parts));
  }

  private decoded(stream: PDFRawStream): Buffer | undefined {
    const most = Math.min(this.left, MOST_BYTES_OF_ONE);
    try {
      let bytes = stream.contents;
      for (const filter of filtersOf(stream.dict)) {
        if (filter === PDFName.of('FlateDecode') || filter === PDFName.of('Fl'))
          bytes = inflateSync(bytes, { maxOutputLength: Math.max(most, 1) });
        else if (filter === PDFName.of('ASCII85Decode') || filter === PDFName.of('ASCIIHexDecode'))
          bytes = decodePDFRawStream(
            PDFRawStream.of(stream.dict.context.obj({ Filter: filter }) as PDFDict, bytes),
          ).decode();
        else return undefined;
      }
      if (stream.dict.has(PDFName.of('DecodeParms')) || bytes.length > most) return undefined;
      this.left -= bytes.length;
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    } catch {
      return undefined;
    }
  }
}

function filtersOf(dict: PDFDict): PDFObject[] {
  const filter = dict.lookup(PDFName.of('Filter'));
  if (filter === undefined) return [];
  return filter instanceof PDFArray ? filter.asArray() : [filter];
}

export function balanceOf(content: Buffer): ContentBalance {
  let [below, net, at] = [0, 0, 0];
  while (at < content.length) {
    const byte = content[at] as number;
    if (DELIMITER[byte]) {
      at = afterDelimiter(content, at);
      continue;
    }
    const start = at;
    while (at < content.length && !DELIMITER[content[at] as number]) at++;
    const isName = start > 0 && content[start - 1] === 0x2f;
    const word = isName || at - start > 2 ? '' : content.toString('latin1', start, at);
    if (word === 'q') net++;
    else if (word === 'Q') below = Math.max(below, -(net -= 1));
    else if (word === 'ID') at = afterImage(content, at);
  }
  return { below, net };
}

/** Past white space or a bracket; past the whole of a string or a comment. */
function afterDelimiter(content: Buffer, at: number): number {
  switch (content[at]) {
    case 0x28:
      return afterString(content, at);
    case 0x25:
      return afterComment(content, at);
    case 0x3c:
      return content[at + 1] === 0x3c ? at + 2 : after(content, '>', at);
    default:
      return at + 1;
  }
}

/** White space and ( ) < > [ ] { } / %. */
const DELIMITER = Array.from({ length: 256 }, (_, byte) => '\0\t\n\f\r ()<>[]{}/%'.includes(String.fromCharCode(byte)));

function afterString(content: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return content.length;
}

function afterComment(content: Buffer, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== 10 && content[at] !== 13) at++;
  return at;
}

/** The bytes of an inline image end at an EI between white space. */
function afterImage(content: Buffer, start: number): number {
  for (let at = content.indexOf('EI', start + 1); at >= 0; at = content.indexOf('EI', at + 1)) {
    const [before, behind] = [content[at - 1] as number, content[at + 2]];
    if (DELIMITER[before] && (behind === undefined || DELIMITER[behind])) return at + 2;
  }
  return content.length;
}

function after(content: Buffer, mark: string, start: number): number {
  const at = content.indexOf(mark, start);
  return at < 0 ? content.length : at + 1;
}
