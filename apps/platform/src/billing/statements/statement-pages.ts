import {
  ACCENT,
  type AppendedPage,
  type Block,
  BOGOTA,
  GREY,
  inBogota,
  inUtc,
  LINE,
  PANEL,
  panel,
  type Place,
  Sheets,
  text,
  type Written,
} from '@constancia/pdf-sealing';
import type { Locale } from '../../locale.ts';
import { STATEMENT_TEXTS, type StatementTexts } from './statement-texts.ts';
import type { Statement } from './statement.ts';

export interface StatementFacts {
  statement: Statement;
  locale: Locale;
  displayName: string;
  slug: string;
  madeAt: Date;
  /** Of the key that seals, SHA-256, hex. */
  fingerprint: string;
}

const LETTER = { width: 612, height: 792 };
const ROW_PT = 18;
const CELL_INSET_PT = 6;
/** Widths of the columns that hold numbers. */
const NUMBER_PT = 90;

const TITLE: Written = { size: 22, face: 'bold', colour: ACCENT };
const LABEL: Written = { size: 8, colour: GREY };
const VALUE: Written = { size: 9 };
const BOLD: Written = { size: 9, face: 'bold' };
const WARNING: Written = { size: 9, face: 'bold', colour: [0.65, 0.16, 0.09] };
const SMALL: Written = { size: 8, colour: GREY, lines: 4 };

interface Row {
  what: string;
  count?: number;
  credits: number;
  bold?: boolean;
  /** Says more of the row above. */
  detail?: boolean;
}

/** The pages of a statement, for a seal. What does not fit is cut; what cannot be drawn stands as U+FFFD. */
export function statementPages(facts: StatementFacts): AppendedPage[] {
  const texts = STATEMENT_TEXTS[facts.locale];
  const { statement, slug } = facts;
  const sheets = new Sheets(LETTER);
  const blocks = [
    head(facts, texts),
    columns(texts),
    ...rowsOf(statement, texts).map((row) => line(row, facts.locale)),
  ];
  for (const block of [...blocks, foot(facts, texts)]) sheets.put(block);
  return sheets.finished(`${texts.title} · ${slug} · ${statement.month}`, texts.page);
}

function head({ statement, locale, displayName, slug, madeAt }: StatementFacts, texts: StatementTexts): Block {
  const isFinal = statement.status === 'final';
  const rows: [string, string, Written][] = [
    [texts.tenant, `${displayName} (${slug})`, BOLD],
    [texts.month, monthInWords(statement.month, locale), VALUE],
    [texts.status, isFinal ? texts.final : texts.provisional, isFinal ? VALUE : WARNING],
    [texts.madeAt, `${inUtc(madeAt)} UTC  ·  ${inBogota(madeAt)} Bogotá (${BOGOTA})`, VALUE],
  ];
  return {
    height: 128,
    draw: (place) => [
      panel(place, 3, ACCENT),
      text(texts.title, { ...place, top: place.top - 14 }, TITLE),
      ...rows.flatMap(([label, value, written], nth) => {
        const top = place.top - 54 - nth * 16;
        return [
          text(label, { ...place, top, width: 84 }, LABEL, 16),
          text(value, { left: place.left + 88, top, width: place.width - 88 }, written, 16),
        ];
      }),
    ],
  };
}

function columns({ columns: [what, count, credits] }: StatementTexts): Block {
  return {
    height: ROW_PT,
    draw: (place) => [panel(place, ROW_PT, PANEL), ...cells(place, [what, count, credits], { ...LABEL, face: 'bold' })],
  };
}

function line({ what, count, credits, bold, detail }: Row, locale: Locale): Block {
  const number = new Intl.NumberFormat(locale);
  const texts: [string, string, string] = [
    what,
    count === undefined ? '' : number.format(count),
    number.format(credits),
  ];
  return {
    height: ROW_PT - 9, // Sheets leaves as much between two blocks
    draw: (place) => [
      ...cells({ ...place, top: place.top + 4 }, texts, bold ? BOLD : detail ? { ...VALUE, colour: GREY } : VALUE),
      panel({ ...place, top: place.top - ROW_PT + 5 }, bold ? 0.9 : 0.4, bold ? ACCENT : LINE),
    ],
  };
}

function cells({ left, top, width }: Place, [what, count, credits]: [string, string, string], written: Written) {
  const right: Written = { ...written, align: 'right' };
  const first = width - 2 * NUMBER_PT;
  const cell = (at: number, wide: number) => ({
    left: left + at + CELL_INSET_PT,
    top,
    width: wide - 2 * CELL_INSET_PT,
  });
  return [
    text(what, cell(0, first), written, ROW_PT),
    text(count, cell(first, NUMBER_PT), right, ROW_PT),
    text(credits, cell(first + NUMBER_PT, NUMBER_PT), right, ROW_PT),
  ];
}

function foot({ fingerprint }: StatementFacts, texts: StatementTexts): Block {
  return {
    height: 86,
    draw: (place) => [
      text(texts.unit, { ...place, top: place.top - 12 }, { ...SMALL, lines: 1 }),
      text(texts.sealTitle, { ...place, top: place.top - 30 }, { ...BOLD, colour: ACCENT }),
      text(texts.seal(fingerprint), { ...place, top: place.top - 44 }, SMALL),
    ],
  };
}

/** Signed: from the opening balance on they add up to the closing balance. */
function rowsOf(statement: Statement, texts: StatementTexts): Row[] {
  const { opening_balance: opening, closing_balance: closing, grants, top_ups, reversals, usage } = statement;
  const held = (credits: number): Row[] => (credits === 0 ? [] : [{ what: texts.held, credits, detail: true }]);
  return [
    { what: texts.opening, credits: opening.available + opening.held, bold: true },
    ...held(opening.held),
    { what: texts.grants, count: grants.count, credits: grants.credits },
    { what: texts.topUps, count: top_ups.count, credits: top_ups.credits },
    { what: texts.reversals, count: reversals.count, credits: 0 - reversals.credits },
    ...usage.flatMap(({ module, operation, count, credits, refunded }): Row[] => {
      const name = texts.operations[operation] ?? `${module} ${operation}`;
      const refunds: Row[] = refunded === 0 ? [] : [{ what: texts.refunds(name), credits: refunded }];
      return [{ what: `${texts.usage}: ${name}`, count, credits: 0 - credits }, ...refunds];
    }),
    { what: texts.closing, credits: closing.available + closing.held, bold: true },
    ...held(closing.held),
  ];
}

function monthInWords(month: string, locale: Locale): string {
  const at = new Date(`${month}-15T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
}
