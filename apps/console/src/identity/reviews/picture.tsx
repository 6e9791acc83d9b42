import { Button } from '@constancia/web';
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loading } from '../../parts/loading.tsx';
import { useIdentityText } from '../text/language.ts';
import { useDrag } from './use-drag.ts';
import { type PictureKind, useObjectUrl, usePicture } from './use-picture.ts';

const ZOOMS = [1, 1.5, 2, 3, 4, 6] as const;

/** A picture of a session, which may be made larger and moved by keyboard and mouse. */
export function Picture({ sessionId, kind }: { sessionId: string; kind: PictureKind }) {
  const { words } = useIdentityText();
  const { data, error, refetch } = usePicture(sessionId, kind);
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <figure className="picture">
      <figcaption>{words.review.pictures[kind]}</figcaption>
      {isMissing && <p className="empty">{words.review.noPicture}</p>}
      {error !== null && !isMissing && <Failure error={error} onAgain={() => void refetch()} />}
      {data !== undefined ? (
        <PictureView blob={data} name={words.review.pictures[kind]} />
      ) : (
        error === null && <Loading />
      )}
    </figure>
  );
}

function PictureView({ blob, name }: { blob: Blob; name: string }) {
  const { words, percent } = useIdentityText();
  const url = useObjectUrl(blob);
  const view = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(0);
  const drag = useDrag(view);
  const scale = ZOOMS[zoom] ?? 1;

  /** Keeps what is at the point, as shares of the view, where it is. */
  const zoomTo = (next: number, at = { x: 0.5, y: 0.5 }): void => {
    const to = Math.min(Math.max(next, 0), ZOOMS.length - 1);
    const shown = view.current;
    if (shown === null || to === zoom) return;
    const factor = (ZOOMS[to] ?? 1) / scale;
    const left = (shown.scrollLeft + at.x * shown.clientWidth) * factor - at.x * shown.clientWidth;
    const top = (shown.scrollTop + at.y * shown.clientHeight) * factor - at.y * shown.clientHeight;
    setZoom(to);
    requestAnimationFrame(() => shown.scrollTo(left, top));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoomTo(zoom + 1);
    else if (event.key === '-') zoomTo(zoom - 1);
    else if (event.key === '0') zoomTo(0);
  };
  const onDoubleClick = ({ clientX, clientY, currentTarget }: MouseEvent): void => {
    const box = currentTarget.getBoundingClientRect();
    zoomTo(zoom === ZOOMS.length - 1 ? 0 : zoom + 1, {
      x: (clientX - box.left) / box.width,
      y: (clientY - box.top) / box.height,
    });
  };

  return (
    <>
      <div
        ref={view}
        className="picture-view"
        role="group"
        tabIndex={0}
        aria-label={words.review.zoomOf(name, percent(scale))}
        onKeyDown={onKeyDown}
        onDoubleClick={onDoubleClick}
        {...drag}
      >
        {url !== null && <img src={url} alt={name} draggable={false} style={{ width: `${scale * 100}%` }} />}
      </div>
      <div className="actions small">
        <Button
          label={words.review.biggerOf(name)}
          disabled={zoom === ZOOMS.length - 1}
          onPress={() => zoomTo(zoom + 1)}
        >
          {words.review.bigger}
        </Button>
        <Button label={words.review.smallerOf(name)} disabled={zoom === 0} onPress={() => zoomTo(zoom - 1)}>
          {words.review.smaller}
        </Button>
        <span className="help">{percent(scale)}</span>
      </div>
    </>
  );
}
