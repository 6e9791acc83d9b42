import {
  ACCENT,
  type Block,
  GREY,
  heightOf,
  LINE,
  panel,
  type Place,
  text,
  type Written,
} from '@constancia/pdf-sealing';

/** A page, in points. */
export const LETTER = { width: 612, height: 792 };

export const PLAIN: Written = { size: 9 };
export const BOLD: Written = { size: 9, face: 'bold' };
export const SOFT: Written = { size: 8, colour: GREY };
export const FIXED: Written = { size: 7.5, face: 'fixed' };
export const ALARM: Written = { size: 9, face: 'bold', colour: [0.65, 0.16, 0.09] };
const TITLE: Written = { size: 22, face: 'bold', colour: ACCENT };
const HEADING: Written = { size: 13, face: 'bold', colour: ACCENT };
const HEADING_PT = 30;

/** Characters of a block of text: longer ones are broken into several, so that pages are filled. */
const MOST_CHARACTERS = 1_200;
/** Average width of a character in em, with what is lost at the ends of lines: of the standard fonts, and of the one for other scripts. */
const EM = { standard: 0.55, fixed: 0.62, other: 0.7 };
const OTHER_SCRIPT = /[^\x20-\xff]/;
const LABEL_PT = 110;
/** Characters of the value of a label. */
const MOST_OF_A_VALUE = 500;
/** More than half a page: the parts of it may stand on two. */
const TALL_PT = 350;
/** Between lines that belong together. */
const CLOSE_PT = 2;

/** What is written in a width, with as many lines as it is likely to need: where it needs more, it is drawn smaller. */
function lined(value: string, written: Written, width: number): Written {
  const em = OTHER_SCRIPT.test(value) ? EM.other : written.face === 'fixed' ? EM.fixed : EM.standard;
  return { ...written, lines: Math.max(1, Math.ceil((value.length * em * written.size) / width)) };
}

/** Text over as many lines as it needs, as blocks that may stand on different pages. */
export function paragraphs(value: string, width: number, written: Written = PLAIN, indent = 0): Block[] {
  return value.split(/\r\n?|\n/).flatMap((line) =>
    parts(line).map((part) => {
      const fitted = lined(part, written, width - indent);
      const draw = ({ left, top }: Place) => [text(part, { left: left + indent, top, width: width - indent }, fitted)];
      return { height: heightOf(fitted), draw };
    }),
  );
}

/** Parts of a line, broken between words; none of a blank one. */
function parts(line: string): string[] {
  const found: string[] = [];
  let rest = line.trim();
  while (rest.length > MOST_CHARACTERS) {
    const space = rest.lastIndexOf(' ', MOST_CHARACTERS);
    const end = space > 0 ? space : MOST_CHARACTERS;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? found : [...found, rest];
}

/** A text that stands on one page whatever it says: a list may have names of thousands of characters. */
export function clipped(value: string, most = MOST_OF_A_VALUE): string {
  return value.length <= most ? value : `${value.slice(0, most - 1)}…`;
}

/** A label and its value in two columns. */
export function labelled(label: string, whole: string, width: number): Block {
  const value = clipped(whole);
  const room = width - LABEL_PT;
  const fitted = lined(value, PLAIN, room);
  return {
    height: heightOf(fitted),
    draw: ({ left, top }) => [
      text(label, { left, top: top - 1, width: LABEL_PT - 6 }, SOFT),
      text(value, { left: left + LABEL_PT, top, width: room }, fitted),
    ],
  };
}

/** Blocks on one page, close to each other. */
export function stacked(blocks: readonly Block[]): Block {
  const height = blocks.reduce((sum, block) => sum + block.height, (blocks.length - 1) * CLOSE_PT);
  const draw = (place: Place) => {
    let { top } = place;
    return blocks.flatMap((block) => {
      const drawn = block.draw({ ...place, top });
      top -= block.height + CLOSE_PT;
      return drawn;
    });
  };
  return { height, draw };
}

/** What belongs together: on one page while it is short, else at least its beginning. */
export function together(blocks: readonly Block[]): Block[] {
  const whole = stacked(blocks);
  return whole.height <= TALL_PT ? [whole] : [stacked(blocks.slice(0, 2)), ...blocks.slice(2)];
}

/** A heading, which stays with the first of its blocks. */
export function titled(title: string, [first, ...others]: readonly Block[]): Block[] {
  const heading: Block = {
    height: HEADING_PT + (first?.height ?? 0),
    draw: (place) => [
      text(title, { ...place, top: place.top - 6 }, HEADING),
      panel({ ...place, top: place.top - 24 }, 0.75, LINE),
      ...(first?.draw({ ...place, top: place.top - HEADING_PT }) ?? []),
    ],
  };
  return [heading, ...others];
}

/** The title of a document, and facts about the document. */
export function headed(title: string, blocks: readonly Block[]): Block {
  const facts = stacked(blocks);
  return {
    height: 52 + facts.height,
    draw: (place) => [
      panel(place, 3, ACCENT),
      text(title, { ...place, top: place.top - 14 }, TITLE),
      ...facts.draw({ ...place, top: place.top - 52 }),
    ],
  };
}
