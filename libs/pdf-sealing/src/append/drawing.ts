import type { LineOfText } from '../line-of-text.ts';
import { toPage, UPRIGHT } from '../page-geometry.ts';
import type { PageGeometry } from '../page-geometry.ts';

interface At {
  /** 1-based. */
  page: number;
  /** Lower-left corner (of text: the start of its baseline), as a viewer shows the page: see Placeholder. */
  x: number;
  y: number;
}

/** One thing to draw, upright to the viewer, on top of the page. Lengths in points. */
export type Drawing =
  | (At & { kind: 'text'; size: number; line: LineOfText })
  | (At & { kind: 'checkmark'; size: number })
  | (At & { kind: 'image'; width: number; height: number; bytes: Uint8Array });

/** What a drawing needs from the file: a font's or image's name on its page, and text as the font's codes. */
export interface Drawn {
  name: string;
  /** A PDF string, for text. */
  codes: string;
}

/** The operators of one drawing. The graphics state is set anew: a page's own content may leave any behind. */
export function operators(drawing: Drawing, geometry: PageGeometry, { name, codes }: Drawn): string {
  const { x, y } = toPage(geometry, drawing.x, drawing.y);
  const { cos, sin } = UPRIGHT[geometry.rotation];
  const matrix = [cos, sin, -sin, cos, x, y].map(decimal).join(' ');
  switch (drawing.kind) {
    case 'text':
      return `q 0 g BT /${name} ${decimal(drawing.size)} Tf 0 Tr 0 Tc 0 Tw 100 Tz 0 Ts ${matrix} Tm ${codes} Tj ET Q\n`;
    case 'checkmark':
      return `q ${matrix} cm ${checkmark(drawing.size)} Q\n`;
    case 'image':
      return `q ${matrix} cm ${decimal(drawing.width)} 0 0 ${decimal(drawing.height)} 0 0 cm /${name} Do Q\n`;
  }
}

/** A tick in a square of that side. */
function checkmark(size: number): string {
  const [ax, ay, bx, by, cx, cy, width] = [0.14, 0.5, 0.4, 0.2, 0.88, 0.84, 0.12].map((part) => decimal(part * size));
  return `0 G ${width} w 1 J 1 j [] 0 d ${ax} ${ay} m ${bx} ${by} l ${cx} ${cy} l S`;
}

/** PDF numbers have no exponent. */
function decimal(number: number): string {
  return String(Number(number.toFixed(4)));
}
