import { Panel, useReactFlow } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { useRuleText } from '../text/language.ts';

export const FIT = { maxZoom: 1, padding: 0.15 } as const;

/** Zooming without a wheel. Everything is shown again when nodes come or go. */
export function ZoomButtons({ count }: { count: number }) {
  const { words } = useRuleText();
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const drawnCount = useRef(count);
  useEffect(() => {
    if (drawnCount.current !== count) void fitView(FIT);
    drawnCount.current = count;
  }, [count, fitView]);
  const buttons = [
    ['+', words.graph.zoomIn, () => zoomIn()],
    ['−', words.graph.zoomOut, () => zoomOut()],
    ['⤢', words.graph.fit, () => fitView(FIT)],
  ] as const;
  return (
    <Panel position="top-right" className="zoom">
      {buttons.map(([sign, label, zoom]) => (
        <button key={sign} type="button" className="button" aria-label={label} onClick={() => void zoom()}>
          {sign}
        </button>
      ))}
    </Panel>
  );
}
