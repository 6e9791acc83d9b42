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

/** Of an italic letter, on average, in its size. */
const LETTER = 0.46;

/** Points. A signature is made as small as it takes to stand in its box whole, as it will on the document. */
function sizeOf({ width, height }: SignField, text: string, asSignature: boolean): number {
  if (!asSignature) return Math.min(height * 0.68, 12);
  return Math.min(height * 0.55, 26, (width - 6) / (Math.max(1, text.length) * LETTER));
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
              fontSize: Math.max(asSignature ? 2 : 5, sizeOf(field, text, asSignature === true) * scale),
            }}
          >
            {image ? <img src={image} alt="" /> : <span>{text}</span>}
          </div>
        );
      })}
    </div>
  );
}
