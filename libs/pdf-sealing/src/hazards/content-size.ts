import { PDFName, PDFNumber, PDFRawStream, PDFStream } from 'pdf-lib';
import type { PDFDocument, PDFObject } from 'pdf-lib';
import { inflatedSize } from '../append/stream-bytes.ts';
import { contentsOf } from '../page-streams.ts';
import type { Page } from '../pages.ts';
import type { Finding } from './finding.ts';
import type { Places } from './places.ts';

/** Content of one page, or of one form or pattern, inflated. */
const MOST_MIB = 64;
/** Of all of them: what a document may cost to look at. */
const MOST_MIB_IN_ALL = 512;
const MIB = 1024 * 1024;

/** Pages, forms and patterns that inflate to more than any reader should have to draw. Inflating stops at the limit. */
export function* contentSizes(document: PDFDocument, pages: readonly Page[], places: Places): Generator<Finding> {
  const sizes = new Sizes();
  for (const [nth, page] of pages.entries()) {
    let size = 0;
    for (const stream of contentsOf(page, document)) size += sizes.of(stream);
    if (size > MOST_MIB * MIB) yield finding(`The content of page ${nth + 1}`);
    if (sizes.usedUp) return yield inAll();
  }
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || !isDrawn(object, places)) continue;
    if (sizes.of(object) > MOST_MIB * MIB) yield finding(`What is drawn from ${places.wordsOf(object)}`);
    if (sizes.usedUp) return yield inAll();
  }
}

/** Each stream is looked at once. */
class Sizes {
  private readonly known = new Map<PDFObject, number>();
  private left = MOST_MIB_IN_ALL * MIB;

  get usedUp(): boolean {
    return this.left <= 0;
  }

  of(stream: PDFStream): number {
    let size = this.known.get(stream);
    if (size === undefined) {
      size = stream instanceof PDFRawStream ? inflatedSize(stream, MOST_MIB * MIB) : 0;
      this.known.set(stream, size);
      this.left -= size;
    }
    return size;
  }
}

function isDrawn({ dict }: PDFStream, places: Places): boolean {
  const of = (key: string) => places.resolve(dict.get(PDFName.of(key)));
  const pattern = of('PatternType');
  return of('Subtype') === PDFName.of('Form') || pattern instanceof PDFNumber;
}

const finding = (what: string): Finding => ({
  code: 'content_too_large',
  detail: `${what} inflates to more than ${MOST_MIB} MB. Make it simpler.`,
});

const inAll = (): Finding => ({
  code: 'content_too_large',
  detail: `The content of all pages inflates to more than ${MOST_MIB_IN_ALL} MB. Make it simpler.`,
});
