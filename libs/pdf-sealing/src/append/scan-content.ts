/** What a page's content is made of, as far as what is drawn behind it has to know. */
export interface ScannedContent {
  /**
   * Whether every reader takes it alike to its last byte: tokens that end, operators that exist with their operands, text objects that are
   * closed, no inline picture. Only q and Q, and the ends of marked content, may be missing.
   */
  isPlain: boolean;
  /** Marked content that it leaves open. Where it is not plain, an estimate. */
  marked: number;
  /** How it leaves the stack of graphics states: `below` its start at the lowest, `net` at the end. */
  below: number;
  net: number;
}

/** Operands that readers keep (poppler 33). */
const MOST_OPERANDS = 32;
const MOST_DIGITS = 12;
const MOST_SAVES = 512;

const WHITE = 1;
const DELIMITER = 2;
/** 0: of a number or a keyword. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return '\0\t\n\f\r '.includes(character) ? WHITE : '()<>[]{}/%'.includes(character) ? DELIMITER : 0;
});

/** An operator by its bytes, of which it has three at most: quicker than by its text. */
const keyOf = (name: string) => [...name].reduce((key, character) => (key << 8) | character.charCodeAt(0), 0);
const [SAVE, RESTORE, BEGIN_TEXT, END_TEXT, MARK, MARK_WITH, END_MARK] = ['q', 'Q', 'BT', 'ET', 'BMC', 'BDC', 'EMC'].map(keyOf); // prettier-ignore

/** The least number of operands of each operator of a page (ISO 32000-1, annex A). Those of glyphs and of inline pictures are left out. */
const OPERANDS = new Map<number, number>(
  Object.entries({
    0: 'b B b* B* BT BX EMC ET EX f F f* h n q Q s S T* W W*',
    1: "' BMC cs CS Do g G gs i j J M MP ri sc SC scn SCN sh Tc Tj TJ TL Tr Ts Tw Tz w",
    2: 'BDC d DP l m Td TD Tf',
    3: 'rg RG "',
    4: 'k K re v y',
    6: 'c cm Tm',
  }).flatMap(([count, names]) => names.split(' ').map((name) => [keyOf(name), Number(count)] as const)),
);
const VALUES = new Set(['true', 'false', 'null']);

export function scanContent(content: Buffer): ScannedContent {
  return new Scan(content).run();
}

class Scan {
  private at = 0;
  private isPlain = true;
  private below = 0;
  private net = 0;
  private operands = 0;
  /** Open brackets: a `[` for each array, a `<` for each dictionary. */
  private open = '';
  private inText = false;
  private marked = 0;

  constructor(private readonly content: Buffer) {}

  run(): ScannedContent {
    const { content } = this;
    while (this.at < content.length && this.isPlain) {
      const kind = KIND[content[this.at] as number];
      if (kind === WHITE) this.at++;
      else if (kind === DELIMITER) this.delimiter(content[this.at] as number);
      else this.word();
    }
    const isPlain =
      this.isPlain && this.open === '' && !this.inText && this.operands === 0 && this.marked <= MOST_SAVES;
    return { isPlain, marked: isPlain ? this.marked : openMarks(content), below: this.below, net: this.net };
  }

  private delimiter(byte: number): void {
    switch (byte) {
      case 0x28:
        return this.value(endOfString(this.content, this.at));
      case 0x25:
        this.at = endOfLine(this.content, this.at);
        return;
      case 0x2f:
        return this.value(this.endOfRegular(this.at + 1));
      case 0x3c:
        if (this.content[this.at + 1] !== 0x3c) return this.value(endOfHex(this.content, this.at));
        this.open += '<';
        this.at += 2;
        return;
      case 0x5b:
        this.open += '[';
        this.at++;
        return;
      case 0x5d:
        return this.close('[', 1);
      case 0x3e:
        return this.content[this.at + 1] === 0x3e ? this.close('<', 2) : this.odd();
      default:
        this.odd();
    }
  }

  private word(): void {
    const start = this.at;
    const end = this.endOfRegular(start);
    const first = this.content[start] as number;
    const isNumber = first === 0x2b || first === 0x2d || first === 0x2e || (first >= 0x30 && first <= 0x39);
    if (isNumber) return isPlainNumber(this.content, start, end) ? this.value(end) : this.odd();
    if (end - start > 3)
      return VALUES.has(this.content.toString('latin1', start, Math.min(end, start + 6)))
        ? this.value(end)
        : this.odd();
    let key = 0;
    for (let at = start; at < end; at++) key = (key << 8) | (this.content[at] as number);
    this.at = end;
    this.operator(key);
  }

  private operator(key: number): void {
    const least = OPERANDS.get(key);
    if (least === undefined || this.operands < least || this.open !== '') return this.odd();
    this.operands = 0;
    switch (key) {
      case SAVE:
        if (++this.net > MOST_SAVES) this.odd();
        return;
      case RESTORE:
        this.net--;
        this.below = Math.max(this.below, -this.net);
        if (this.below > MOST_SAVES) this.odd();
        return;
      case BEGIN_TEXT:
      case END_TEXT:
        if (this.inText === (key === BEGIN_TEXT)) this.odd();
        this.inText = key === BEGIN_TEXT;
        return;
      case MARK:
      case MARK_WITH:
        this.marked++;
        return;
      case END_MARK:
        if (--this.marked < 0) this.odd();
    }
  }

  /** An operand, or a part of one, that ends before `end`; -1 where it has no end. */
  private value(end: number): void {
    if (end < 0) return this.odd();
    this.at = end;
    if (this.open === '' && ++this.operands > MOST_OPERANDS) this.odd();
  }

  private close(bracket: string, length: number): void {
    if (!this.open.endsWith(bracket)) return this.odd();
    this.open = this.open.slice(0, -1);
    this.value(this.at + length);
  }

  private odd(): void {
    this.isPlain = false;
  }

  private endOfRegular(start: number): number {
    const { content } = this;
    let at = start;
    while (at < content.length && KIND[content[at] as number] === 0) at++;
    return at;
  }
}

/** Begun and not ended, as far as can be said of content that is broken somewhere. */
function openMarks(content: Buffer): number {
  let open = 0;
  for (const [operator] of content.toString('latin1').matchAll(/(?<![^\s\0\])>])(?:BMC|BDC|EMC)(?![^\s\0/[(<%])/g))
    open = Math.max(0, open + (operator === 'EMC' ? -1 : 1));
  return Math.min(open, MOST_SAVES);
}

function endOfString(content: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < content.length; at++) {
    const byte = content[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return -1;
}

function endOfLine(content: Buffer, start: number): number {
  let at = start;
  while (at < content.length && content[at] !== 10 && content[at] !== 13) at++;
  return at;
}

function endOfHex(content: Buffer, start: number): number {
  for (let at = start + 1; at < content.length; at++) {
    const byte = content[at] as number;
    if (byte === 0x3e) return at + 1;
    const isDigit = (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
    if (!isDigit && KIND[byte] !== WHITE) return -1;
  }
  return -1;
}

/** A sign, digits and one point, of a magnitude that every reader can hold. */
function isPlainNumber(content: Buffer, start: number, end: number): boolean {
  let [points, whole, digits] = [0, 0, 0];
  for (let at = start; at < end; at++) {
    const byte = content[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      if (points === 0) whole++;
    } else if (byte === 0x2e) points++;
    else if (at > start || (byte !== 0x2b && byte !== 0x2d)) return false;
  }
  return digits > 0 && points <= 1 && whole <= MOST_DIGITS;
}
