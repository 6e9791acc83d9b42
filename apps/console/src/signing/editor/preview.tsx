import type { PageSize } from '@constancia/web/pdf';
import type { Placed } from './placed.ts';

/** What stands in a field on the finished document. */
export interface Sample {
  text: string;
  /** Points. */
  size: number;
  /** Written as a signature is. */
  hand?: boolean;
  /** Whether `y` of the field is the line that the text stands on. */
  onBaseline?: boolean;
}

interface PreviewProps {
  fields: readonly Placed[];
  size: PageSize;
  /** Pixels of the screen. */
  width: number;
  sampleOf: (field: Placed) => Sample;
}

/** Points: no text is drawn smaller. */
const SMALLEST = 4;
/** Of a text's size: how deep letters reach below their line, in Helvetica and what stands for it. */
const DESCENT = 0.22;

/** A page as it will be, with sample data. */
export function Preview({ fields, size, width, sampleOf }: PreviewProps) {
  const scale = width / size.width;
  return (
    <div className="samples">
      {fields.map((field) => {
        const sample = sampleOf(field);
        const points = fitted(sample, field.width);
        const lower = sample.onBaseline === true ? field.y - points * DESCENT : field.y;
        const height = sample.onBaseline === true ? points : field.height;
        return (
          <span
            key={field.id}
            className={sample.hand === true ? 'sample hand' : 'sample'}
            style={{
              left: field.x * scale,
              top: (size.height - lower - height) * scale,
              width: field.width * scale,
              height: height * scale,
              fontSize: points * scale,
            }}
          >
            {sample.text}
          </span>
        );
      })}
    </div>
  );
}

const canvas = document.createElement('canvas').getContext('2d');

/** Smaller until it fits, as the document is drawn. */
function fitted({ text, size, hand }: Sample, room: number): number {
  if (canvas === null) return size;
  canvas.font = hand === true ? 'italic 100px serif' : '100px Helvetica, Arial, sans-serif';
  const wide = (canvas.measureText(text).width / 100) * size;
  return wide <= room ? size : Math.max(SMALLEST, (size * room) / wide);
}
