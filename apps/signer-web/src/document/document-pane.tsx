import { Button, useAnnounce } from '@constancia/web';
import { type PageSize, PageView, useWidth } from '@constancia/web/pdf';
import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useLanguage } from '../text/language.ts';
import { type OpenDocument, useDocument } from './open-document.tsx';
import { SaveLink } from './save-link.tsx';

const ZOOMS = [1, 1.25, 1.5, 2, 3] as const;
/** Pixels of the layout: wider, lines are too long to be read with ease. */
const WIDEST = 880;
const LEGIBLE = 480;

/** Brings a place of the document into view. */
export interface DocumentPaneHandle {
  show: (page: number, fieldKey: string) => void;
}

interface DocumentPaneProps {
  ref?: Ref<DocumentPaneHandle>;
  /** What lies over a page, given its number, size and width on the screen. */
  over?: (page: number, size: PageSize, width: number) => ReactNode;
  /** Leads to the next place to fill in; null when none is left. */
  onNext?: (() => void) | null;
  /** The first page is on the screen, or cannot be drawn. */
  onDrawn?: () => void;
}

/** The document, page by page, with its progress while it arrives. */
export function DocumentPane({ ref, over, onNext = null, onDrawn }: DocumentPaneProps) {
  const { text } = useLanguage();
  const { document: open, open: openDocument } = useDocument();
  const announce = useAnnounce();
  const ready = open.phase === 'ready' ? open : null;
  useEffect(openDocument, [openDocument]);
  const pages = ready?.pdf.numPages;
  useEffect(() => {
    if (pages !== undefined) announce(text.document.ready(pages));
  }, [pages, announce, text]);

  return (
    <section className="document" aria-label={text.document.label}>
      {ready === null ? (
        <div className="arriving">
          <Arriving open={open} onRetry={openDocument} />
        </div>
      ) : (
        <Pages ready={ready} over={over} onNext={onNext} onDrawn={onDrawn} handle={ref} />
      )}
    </section>
  );
}

function Arriving({ open, onRetry }: { open: OpenDocument; onRetry: () => void }) {
  const { text } = useLanguage();
  if (open.phase === 'failed') {
    return open.later ? (
      <p>{text.document.later}</p>
    ) : (
      <div role="alert">
        <p>
          <strong>{text.document.failed}</strong> {text.document.failedHelp}
        </p>
        <div className="actions">
          <Button onPress={onRetry}>{text.page.retry}</Button>
          <SaveLink look="secondary">{text.document.save}</SaveLink>
        </div>
      </div>
    );
  }
  const progress = open.phase === 'downloading' ? open.progress : null;
  const part = progress?.total ? progress.received / progress.total : null;
  return (
    <>
      <p id="arriving">{progress === null ? text.document.opening : text.document.downloading}</p>
      <progress aria-labelledby="arriving" max={1} value={part ?? undefined} />
      <p className="help">
        {part === null
          ? progress !== null && progress.received > 0 && text.document.received((progress.received / 1e6).toFixed(1))
          : text.document.progress(Math.round(part * 100))}
      </p>
    </>
  );
}

interface PagesProps {
  ready: Extract<OpenDocument, { phase: 'ready' }>;
  over: DocumentPaneProps['over'];
  onNext: (() => void) | null;
  onDrawn: DocumentPaneProps['onDrawn'];
  handle: Ref<DocumentPaneHandle> | undefined;
}

function Pages({ ready: { pdf, firstPage }, over, onNext, onDrawn, handle }: PagesProps) {
  const { text } = useLanguage();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const [zoom, setZoom] = useState(0);
  const [current, setCurrent] = useState(1);
  const [seen, setSeen] = useState<ReadonlySet<number>>(() => new Set());
  const inView = useCallback((page: number) => {
    setCurrent(page);
    setSeen((before) => (before.has(page) ? before : new Set([...before, page])));
  }, []);
  const room = useWidth(scroller);
  const width = Math.floor(Math.min(room, WIDEST) * (ZOOMS[zoom] ?? 1));
  useSameSpot(scroller, width);

  useImperativeHandle(handle, () => ({
    show: (page, fieldKey) => {
      if (scroller === null || scroller.clientWidth === 0) return; // not shown
      // On a phone a whole page is too small to read a field; larger than this, what stands beside the field is cut off.
      if (room < LEGIBLE) setZoom((last) => Math.max(last, ZOOMS.indexOf(1.5)));
      const target = (): Element | null =>
        scroller.querySelector(`[data-field="${CSS.escape(fieldKey)}"]`) ??
        scroller.querySelector(`[data-page="${page}"]`);
      const look = (): void => center(scroller, target());
      requestAnimationFrame(() => requestAnimationFrame(look)); // once the pages have their size
    },
  }));

  return (
    <>
      <div className="toolbar">
        <span className="where">
          {text.document.page(current, pdf.numPages)}
          {pdf.numPages > 1 && <span className="seen"> · {text.document.seen(seen.size, pdf.numPages)}</span>}
        </span>
        {onNext !== null && (
          <span className="next-field">
            <Button look="quiet" onPress={onNext}>
              {text.document.nextField}
            </Button>
          </span>
        )}
        <div className="zooms" role="group" aria-label={text.document.zoom(Math.round((ZOOMS[zoom] ?? 1) * 100))}>
          <Button look="quiet" label={text.document.zoomOut} waiting={zoom === 0} onPress={() => setZoom(zoom - 1)}>
            <span aria-hidden="true">−</span>
          </Button>
          <Button
            look="quiet"
            label={text.document.zoomIn}
            waiting={zoom === ZOOMS.length - 1}
            onPress={() => setZoom(zoom + 1)}
          >
            <span aria-hidden="true">+</span>
          </Button>
        </div>
        <SaveLink look="quiet">
          <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 4v11m0 0l-4.5-4.500M12 15l4.500-4.500M5 19.500h14" />
          </svg>
          <span className="words-if-room">{text.document.save}</span>
        </SaveLink>
      </div>
      <div className="pages" ref={setScroller} tabIndex={0} role="region" aria-label={text.document.label}>
        {Array.from({ length: pdf.numPages }, (_, index) => (
          <PageView
            key={index}
            pdf={pdf}
            number={index + 1}
            label={text.document.page(index + 1, pdf.numPages)}
            width={width}
            assumed={firstPage}
            root={scroller}
            onInView={inView}
            onDrawn={onDrawn}
          >
            {(size) => over?.(index + 1, size, width)}
          </PageView>
        ))}
      </div>
    </>
  );
}

const moves = (): boolean => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Scrolls `target` to the middle of `scroller`, and nothing around it. */
function center(scroller: HTMLElement, target: Element | null): void {
  if (target === null) return;
  const outer = scroller.getBoundingClientRect();
  const inner = target.getBoundingClientRect();
  scroller.scrollBy({
    top: inner.top + inner.height / 2 - outer.top - outer.height / 2,
    left: inner.left + inner.width / 2 - outer.left - outer.width / 2,
    behavior: moves() ? 'smooth' : 'auto',
  });
}

/** Keeps the place one reads when the pages change size: after zooming, or turning the telephone. */
function useSameSpot(scroller: HTMLElement | null, width: number): void {
  const spot = useRef({ top: 0, left: 0 });
  useEffect(() => {
    if (scroller === null) return undefined;
    const remember = (): void => {
      spot.current = {
        top: (scroller.scrollTop + scroller.clientHeight / 2) / scroller.scrollHeight,
        left: (scroller.scrollLeft + scroller.clientWidth / 2) / scroller.scrollWidth,
      };
    };
    scroller.addEventListener('scroll', remember, { passive: true });
    return () => scroller.removeEventListener('scroll', remember);
  }, [scroller]);
  useLayoutEffect(() => {
    if (scroller === null || spot.current.top === 0) return;
    const { top, left } = spot.current;
    scroller.scrollTop = top * scroller.scrollHeight - scroller.clientHeight / 2;
    scroller.scrollLeft = left * scroller.scrollWidth - scroller.clientWidth / 2;
  }, [scroller, width]);
}
