import { Button, Notice } from '@constancia/web';
import type SignaturePad from 'signature_pad';
import { useEffect, useRef, useState } from 'react';
import { useLanguage } from '../text/language.ts';
import { type Drawing, fitted, isDrawn } from './drawing.ts';

interface DrawnSignatureProps {
  drawing: Drawing | null;
  /** image: a PNG as a data URL; null while nothing worth the name is drawn. */
  onDraw: (drawing: Drawing | null, image: string | null) => void;
  fault: string | null;
}

/** A place to draw in with finger, pen or mouse. Typing the name is always the other way. */
export function DrawnSignature({ drawing, onDraw, fault }: DrawnSignatureProps) {
  const { text } = useLanguage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [change, setChange] = useState<((strokes: (last: Drawing['strokes']) => Drawing['strokes']) => void) | null>(
    null,
  );
  const [missing, setMissing] = useState(false);
  const last = useRef(drawing);
  const tell = useRef(onDraw);
  tell.current = onDraw;

  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    let end: (() => void) | undefined;
    let wanted = true;
    const loading = import('./signature-pad.ts').then(({ padOn, pngOf, sharpen }) => {
      if (!wanted) return;
      const pad: SignaturePad = padOn(element, () => keep(pad.toData()));
      const keep = (strokes: Drawing['strokes']): void => {
        last.current = { strokes, width: element.clientWidth, height: element.clientHeight };
        const whole = isDrawn(last.current);
        tell.current(strokes.length === 0 ? null : last.current, whole ? pngOf(last.current) : null);
      };
      const lay = (): void => {
        if (element.clientWidth === 0) return;
        sharpen(element);
        pad.clear();
        if (last.current === null) return;
        // From what was drawn, not from what was shown last: turning back and forth would make it smaller each time.
        pad.fromData(fitted(last.current, element.clientWidth, element.clientHeight).strokes);
      };
      const observer = new ResizeObserver(lay);
      observer.observe(element);
      setChange(() => (edit: (strokes: Drawing['strokes']) => Drawing['strokes']) => {
        const strokes = edit(pad.toData());
        pad.fromData(strokes);
        keep(strokes);
      });
      end = () => {
        observer.disconnect();
        pad.off();
      };
    });
    loading.catch(() => wanted && setMissing(true));
    return () => {
      wanted = false;
      end?.();
    };
  }, []);

  return (
    <div className={fault === null ? 'entry' : 'entry at-fault'}>
      <p className="help" id="drawn-help">
        {text.sign.drawnHelp}
      </p>
      <canvas
        ref={canvas}
        id="drawn"
        className="pad"
        role="img"
        tabIndex={-1}
        aria-label={text.sign.drawnLabel}
        aria-describedby={fault === null ? 'drawn-help' : 'drawn-fault drawn-help'}
      />
      {missing && <Notice tone="error">{text.sign.drawnUnreachable}</Notice>}
      {fault !== null && (
        <p className="fault" id="drawn-fault">
          {fault}
        </p>
      )}
      <div className="actions small">
        <Button look="quiet" waiting={drawing === null} onPress={() => change?.((strokes) => strokes.slice(0, -1))}>
          {text.sign.undo}
        </Button>
        <Button look="quiet" waiting={drawing === null} onPress={() => change?.(() => [])}>
          {text.sign.clear}
        </Button>
      </div>
    </div>
  );
}
