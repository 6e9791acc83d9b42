import { deflateSync } from 'node:zlib';
import { PDFName, PDFRawStream } from 'pdf-lib';
import type { PDFObject } from 'pdf-lib';
import { objectText } from './object-text.ts';
import { scanContent } from './scan-content.ts';
import { streamBytes } from './stream-bytes.ts';

/**
 * How a page's own content is kept apart from what is drawn behind it.
 *
 * - wrapped: between `saves` q and `restores` Q, its marked content ended. Enough for content that every reader takes alike.
 * - isolated: as a form XObject. Whatever it leaves open or a reader cannot parse ends with the form, but for marked content (MuPDF).
 * - unusable: neither is possible without changing what the page shows; nothing can be drawn on it.
 */
export type PageContent =
  | { kind: 'wrapped'; saves: number; restores: number; marked: number }
  | { kind: 'isolated'; bytes: Uint8Array; filters: string; marked: number }
  | { kind: 'unusable'; reason: string };

/** Why nothing can be drawn on an unusable page, as a sentence. */
export const notVisible = (page: number, reason: string) =>
  `What is drawn on page ${page} would not be visible in every reader: ${reason}. Save the document again with another program.`;

const BALANCED: PageContent = { kind: 'wrapped', saves: 1, restores: 1, marked: 0 };
/** Content that one template may have looked at, inflated, and of one page. Beyond, a page's content is isolated unseen. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_BYTES_OF_ONE = 32 * 1024 * 1024;
/** Content of one template that is rewritten for isolation, as it is kept. */
const MOST_ISOLATED_BYTES = 16 * 1024 * 1024;

/** Decides for each page of a template, within limits for all of them together. */
export class PageContents {
  private left = MOST_BYTES;
  private isolatedLeft = MOST_ISOLATED_BYTES;

  of(streams: readonly (PDFObject | undefined)[]): PageContent {
    if (streams.length === 0) return BALANCED;
    const whole = this.joined(streams);
    if (whole) {
      const { isPlain, marked, below, net } = scanContent(whole);
      if (isPlain) return { kind: 'wrapped', saves: 1 + below, restores: 1 + below + net, marked };
      return this.isolated(streams, whole, marked);
    }
    return this.isolated(streams, undefined, 0);
  }

  private isolated(
    streams: readonly (PDFObject | undefined)[],
    whole: Buffer | undefined,
    marked: number,
  ): PageContent {
    const [only] = streams;
    if (streams.length === 1 && only instanceof PDFRawStream)
      return this.kept(only.contents, filterEntries(only), marked);
    if (!whole)
      return { kind: 'unusable', reason: 'the parts of its content are damaged, or more than can be looked at' };
    return this.kept(deflateSync(whole), '/Filter /FlateDecode ', marked);
  }

  private kept(bytes: Uint8Array, filters: string, marked: number): PageContent {
    this.isolatedLeft -= bytes.length;
    if (this.isolatedLeft < 0)
      return { kind: 'unusable', reason: 'the content of the pages is damaged and too large to be isolated' };
    return { kind: 'isolated', bytes: Uint8Array.from(bytes), filters, marked };
  }

  /** A page's content as readers join it: no token goes on in the next part. */
  private joined(streams: readonly (PDFObject | undefined)[]): Buffer | undefined {
    const parts: Buffer[] = [];
    let most = Math.min(this.left, MOST_BYTES_OF_ONE);
    for (const stream of streams) {
      const bytes = stream instanceof PDFRawStream ? streamBytes(stream, most) : undefined;
      if (!bytes) return undefined;
      most -= bytes.length;
      this.left -= bytes.length;
      parts.push(bytes, Buffer.from('\n'));
    }
    return parts.length === 2 ? parts[0] : Buffer.concat(parts);
  }
}

/** How the bytes are encoded, as it stands in the file. */
function filterEntries({ dict }: PDFRawStream): string {
  return ['Filter', 'DecodeParms']
    .flatMap((key) => {
      const value = dict.get(PDFName.of(key));
      return value ? [`/${key} ${objectText(value)} `] : [];
    })
    .join('');
}
