import { useLayoutEffect, useRef } from 'react';
import type { SignField } from '../api/sign-state.ts';
import type { PageSize } from '@constancia/web/pdf';

/** What stands in a field's box: what the reader has entered so far, or what belongs there. */
export interface MarkContent {
  text: string;
  filled: boolean;
  image?: string | null;
  /** Written as a signature is. */
  asSignature?: boolean;
}

interface FieldMarksProps {
  fields: readonly SignField[];
  size: PageSize;
  /** Pixels of the layout. */
  width: number;
  contentOf: (field: SignField) => MarkContent;
  chosen: string | null;
  onChoose: ((key: string) => void) | null;
}

/** Points: smaller text is not drawn on the document. */
const LEAST = 4;

/** Pixels of the layout: the smallest label of a box that is not filled in. */
const LEAST_LABEL = 5;

/** Points: the largest text of a box, as it will stand on the document. */
function largestSize({ height }: SignField, asSignature: boolean): number {
  return asSignature ? Math.min(height * 0.55, 26) : Math.min(height * 0.68, 12);
}

/** A text in its box: made smaller until it fits whole, as it will be on the document; only what is still too long at `least` is cut. Sizes in pixels. */
function FittedText({ text, largest, least }: { text: string; largest: number; least: number }) {
  const span = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const { current: element } = span;
    if (element === null) return;
    element.style.fontSize = `${largest}px`;
    const { scrollWidth, clientWidth } = element;
    if (scrollWidth > clientWidth)
      element.style.fontSize = `${Math.max(least, (largest * clientWidth) / scrollWidth - 0.1)}px`;
  }, [text, largest, least]);
  return <span ref={span}>{text}</span>;
}

/** The boxes of a page's fields at their places. Pressing one leads to its question in the form, which is what is worked with. */
export function FieldMarks({ fields, size, width, contentOf, chosen, onChoose }: FieldMarksProps) {
  const scale = width / size.width;
  return (
    <div className="marks" aria-hidden="true">
      {fields.map((field) => {
        const { text, filled, image, asSignature } = contentOf(field);
        const classes = ['mark-box', filled && 'filled', chosen === field.key && 'chosen', asSignature && 'signature'];
        return (
          <div
            key={field.key}
            className={classes.filter(Boolean).join(' ')}
            data-field={field.key}
            onClick={onChoose === null ? undefined : () => onChoose(field.key)}
            style={{
              left: field.x * scale,
              top: (size.height - field.y - field.height) * scale,
              width: field.width * scale,
              height: field.height * scale,
            }}
          >
            {image ? (
              <img src={image} alt="" />
            ) : (
              <FittedText
                text={text}
                largest={largestSize(field, asSignature === true) * scale}
                least={filled ? LEAST * scale : LEAST_LABEL}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
