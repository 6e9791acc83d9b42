import type { Colour } from '../drawing.ts';
import type { LineOfText } from '../line-of-text.ts';
import { toPage, UPRIGHT } from '../page-geometry.ts';
import type { PageGeometry } from '../page-geometry.ts';
import type { CheckedPicture } from '../picture.ts';

interface At {
  /** Lower-left corner (of text: the start of its baseline), as a viewer shows the page. Points. */
  x: number;
  y: number;
}

interface In extends At {
  width: number;
  height: number;
}

/** One thing on a page that is known to fit there, upright to the viewer. */
export type Mark =
  | (At & { kind: 'text'; size: number; line: LineOfText; colour: Colour | undefined })
  | (At & { kind: 'checkmark'; size: number; colour: Colour | undefined })
  | (In & { kind: 'image'; picture: CheckedPicture })
  | (In & { kind: 'rule'; colour: Colour | undefined })
  | (In & { kind: 'modules'; rows: readonly string[] });

/** What marks need from the file: the names of fonts and images on their page, and text as a font's codes (a PDF string). */
export interface Drawn {
  font(line: LineOfText): string;
  codes(line: LineOfText): string;
  image(picture: CheckedPicture): string;
}

/** The graphics state is set again: a page's own content may leave any behind. */
const TEXT_STATE = 'q 0 g BT 0 Tr 0 Tc 0 Tw 100 Tz 0 Ts';

/** The operators of a page's marks, in order. Neighbouring lines of text share one text object. */
export function contentOf(marks: readonly Mark[], geometry: PageGeometry, drawn: Drawn): string {
  const { cos, sin } = UPRIGHT[geometry.rotation];
  const turn = `${cos} ${sin} ${-sin} ${cos} `;
  const matrix = ({ x, y }: At) => {
    const at = toPage(geometry, x, y);
    return `${turn}${decimal(at.x)} ${decimal(at.y)}`;
  };
  let content = '';
  let ink: Colour | undefined;
  let inText = false;
  for (const mark of marks) {
    if (mark.kind !== 'text') {
      if (inText) content += 'ET Q\n';
      inText = false;
      content += `q ${matrix(mark)} cm ${shape(mark, drawn)} Q\n`;
      continue;
    }
    if (!inText) {
      content += `${TEXT_STATE}\n`;
      inText = true;
      ink = undefined;
    }
    const { line, size, colour } = mark;
    if (colour !== ink) content += `${colourOf((ink = colour))} rg `;
    content += `/${drawn.font(line)} ${decimal(size)} Tf ${matrix(mark)} Tm ${drawn.codes(line)} Tj\n`;
  }
  return inText ? `${content}ET Q\n` : content;
}

function shape(mark: Exclude<Mark, { kind: 'text' }>, drawn: Drawn): string {
  switch (mark.kind) {
    case 'checkmark':
      return checkmark(mark.size, mark.colour);
    case 'image':
      return `${decimal(mark.width)} 0 0 ${decimal(mark.height)} 0 0 cm /${drawn.image(mark.picture)} Do`;
    case 'rule':
      return `${colourOf(mark.colour)} rg 0 0 ${decimal(mark.width)} ${decimal(mark.height)} re f`;
    case 'modules':
      return modules(mark);
  }
}

/** A tick in a square of that side. */
function checkmark(size: number, colour: Colour | undefined): string {
  const [ax, ay, bx, by, cx, cy, width] = [0.14, 0.5, 0.4, 0.2, 0.88, 0.84, 0.12].map((part) => decimal(part * size));
  return `${colourOf(colour)} RG ${width} w 1 J 1 j [] 0 d ${ax} ${ay} m ${bx} ${by} l ${cx} ${cy} l S`;
}

/** Runs of dark modules as rectangles of one path, in units of a module, rows from the top. */
function modules({ width, height, rows }: Extract<Mark, { kind: 'modules' }>): string {
  const columns = Math.max(1, ...rows.map((row) => row.length));
  let path = '';
  rows.forEach((row, nth) => {
    for (const run of row.matchAll(/1+/g)) path += `${run.index} ${rows.length - 1 - nth} ${run[0].length} 1 re\n`;
  });
  return `0 g ${precise(width / columns)} 0 0 ${precise(height / Math.max(1, rows.length))} 0 0 cm ${path}f`;
}

const colourOf = (colour: Colour = [0, 0, 0]) => colour.map(decimal).join(' ');

/** PDF numbers have no exponent. */
const decimal = (number: number) => String(Math.round(number * 1e4) / 1e4);
const precise = (number: number) => number.toFixed(8);
