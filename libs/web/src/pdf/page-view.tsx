import type { PDFDocumentProxy, PDFPageProxy, RenderTask } from 'pdfjs-dist';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { canvasScale } from './canvas-scale.ts';
import { loadViewer, type PageSize, sizeOf } from './load-viewer.ts';

interface PageViewProps {
  pdf: PDFDocumentProxy;
  number: number;
  /** Of the page, for those who do not see it. */
  label: string;
  /** Pixels of the layout. */
  width: number;
  /** What it is taken for until it is read. */
  assumed: PageSize;
  /** The scrolling element that pages come into view in. */
  root: HTMLElement | null;
  onInView: (number: number) => void;
  /** It is drawn, or cannot be drawn. */
  onDrawn?: (number: number) => void;
  /** What lies over the page; it gets the page's size. */
  children: (size: PageSize) => ReactNode;
}

/** How far outside the view pages are drawn already. */
const AHEAD = '60% 0px';

/** One page of the document. Only pages in or near the view are drawn; the others hold their place, and no memory. */
export function PageView({ pdf, number, label, width, assumed, root, onInView, onDrawn, children }: PageViewProps) {
  const holder = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [size, setSize] = useState<PageSize | null>(null);
  const { width: points, height } = size ?? assumed;
  const drawn = useRef(onDrawn);
  drawn.current = onDrawn;

  useNearness(holder, root, setNear, () => onInView(number));

  useEffect(() => {
    if (!near || width === 0 || picture.current === null || words.current === null) return undefined;
    const onDone = (): void => drawn.current?.(number);
    return drawPage(pdf, number, width, picture.current, words.current, setSize, onDone);
  }, [near, width, pdf, number]);
  useEffect(() => {
    const canvases = picture.current;
    const layer = words.current;
    return () => {
      if (canvases !== null) clear(canvases);
      layer?.replaceChildren();
    };
  }, [near]);

  return (
    <div
      ref={holder}
      className="page"
      role="group"
      aria-label={label}
      data-page={number}
      style={{ width, height: width * (height / points) }}
    >
      <div ref={picture} className="picture" aria-hidden="true" />
      <div ref={words} className="words" />
      {children(size ?? assumed)}
    </div>
  );
}

/** Tells whether an element is near the view, and when it crosses the middle of it. */
function useNearness(
  holder: React.RefObject<HTMLDivElement | null>,
  root: HTMLElement | null,
  onNear: (near: boolean) => void,
  onMiddle: () => void,
): void {
  const inMiddle = useRef(onMiddle);
  inMiddle.current = onMiddle;
  useEffect(() => {
    const element = holder.current;
    if (element === null || root === null) return undefined;
    const near = new IntersectionObserver((entries) => onNear(lastOf(entries)), { root, rootMargin: AHEAD });
    const middle = new IntersectionObserver((entries) => lastOf(entries) && inMiddle.current(), {
      root,
      rootMargin: '-49% 0px -49% 0px',
    });
    near.observe(element);
    middle.observe(element);
    return () => {
      near.disconnect();
      middle.disconnect();
    };
  }, [holder, root, onNear]);
}

/** A slow page reports several crossings at once: the last one counts. */
const lastOf = (entries: IntersectionObserverEntry[]): boolean => entries.at(-1)?.isIntersecting === true;

/**
 * Draws a page into `picture` and its words, invisible, into `words`, for the reader's selection and screen reader.
 * What was drawn before stays until the new drawing is whole. The returned function stops what is under way.
 */
function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  width: number,
  picture: HTMLElement,
  words: HTMLElement,
  onSize: (size: PageSize) => void,
  onDone: () => void,
): () => void {
  let wanted = true;
  let page: PDFPageProxy | undefined;
  let task: RenderTask | undefined;
  const draw = async (): Promise<void> => {
    page = await pdf.getPage(number);
    if (!wanted) return;
    const size = sizeOf(page);
    onSize(size);
    const viewport = page.getViewport({ scale: canvasScale(size, width, devicePixelRatio) / page.userUnit });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    try {
      task = page.render({ canvas, viewport });
      await task.promise;
    } catch (error) {
      free(canvas);
      throw error;
    }
    if (!wanted) return free(canvas);
    clear(picture);
    picture.append(canvas);
    onDone();
    await layWords(page, width, words, () => wanted);
  };
  // A cancelled drawing, or one that fails: what cannot be drawn stays white, and the file can be downloaded.
  draw().catch(() => wanted && onDone());
  return () => {
    wanted = false;
    task?.cancel();
    page?.cleanup();
  };
}

async function layWords(page: PDFPageProxy, width: number, words: HTMLElement, wanted: () => boolean): Promise<void> {
  const [{ TextLayer }, content] = await Promise.all([loadViewer(), page.getTextContent()]);
  if (!wanted()) return;
  const scale = width / sizeOf(page).width;
  const viewport = page.getViewport({ scale: scale / page.userUnit });
  words.replaceChildren();
  words.style.setProperty('--total-scale-factor', String(scale));
  words.style.setProperty('--scale-factor', String(scale));
  await new TextLayer({ textContentSource: content, container: words, viewport }).render();
}

function clear(picture: HTMLElement): void {
  picture.querySelectorAll('canvas').forEach(free);
  picture.replaceChildren();
}

/** Safari keeps the memory of a canvas for a while after it is gone, unless it is made small. */
function free(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}
