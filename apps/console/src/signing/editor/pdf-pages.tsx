import { type PageSize, PageView, useWidth } from '@constancia/web/pdf';
import { type ReactNode, useState } from 'react';
import { useSigningText } from '../text/language.ts';
import type { OpenPdf } from './use-pdf.ts';

/** Pixels: a page is drawn no wider. */
const WIDEST = 900;

interface PdfPagesProps {
  open: OpenPdf;
  label: string;
  onPage: (number: number) => void;
  /** What lies over a page, given its number, its size and its width on the screen. */
  over: (page: number, size: PageSize, width: number) => ReactNode;
}

/** The pages of a document below one another. */
export function PdfPages({ open: { pdf, sizes }, label, onPage, over }: PdfPagesProps) {
  const { words } = useSigningText();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const width = Math.floor(Math.min(useWidth(scroller), WIDEST));
  return (
    <div className="pdf-pages" ref={setScroller} tabIndex={0} role="region" aria-label={label}>
      {sizes.map((size, index) => (
        <PageView
          key={index}
          pdf={pdf}
          number={index + 1}
          label={words.editor.pageOf(index + 1, sizes.length)}
          width={width}
          assumed={size}
          root={scroller}
          onInView={onPage}
        >
          {(drawn) => width > 0 && over(index + 1, drawn, width)}
        </PageView>
      ))}
    </div>
  );
}
