import type { components } from '@constancia/sdk/generated/signing';
import { type CsvFault, readCsv } from '../../parts/csv/csv-file.ts';
import { columnsOf, faultsOf, type EnvelopeSigner, type RowFault, signersOf } from './row.ts';

type Circuit = Pick<components['schemas']['CircuitView'], 'signers'>;

/** What may be meant, or a mistake: the same people in an earlier row, or one address for two roles. */
export type RowWarning = 'again' | 'sameAddress';

/** One envelope that is to be sent. */
export interface Recipients {
  /** Of the file: the titles are line 1. */
  line: number;
  /** As they were written. */
  cells: readonly string[];
  signers: EnvelopeSigner[];
  subject: string;
  faults: RowFault[];
  warnings: RowWarning[];
}

/** What is wrong with the whole table; `what`: which columns, or on which line. */
export interface TableFault {
  fault: 'missing' | 'unknown' | 'repeated' | CsvFault['fault'];
  what: string;
}

export interface ReadTable {
  titles: readonly string[];
  rows: Recipients[];
  faults: TableFault[];
}

export const MOST_ROWS = 500;

/** What a table says, with everything that is wrong with each of its rows. */
export function tableIn(text: string, circuit: Circuit): ReadTable {
  const table = readCsv(text);
  if (table.faults.length > 0) {
    return { titles: [], rows: [], faults: table.faults.map(({ fault, line }) => ({ fault, what: String(line) })) };
  }
  const [head, ...lines] = table.rows;
  const titles = head?.cells ?? [];
  const known = titles.map((title) => title.toLowerCase());
  const faults = titleFaults(known, circuit);
  if (faults.length > 0) return { titles, rows: [], faults };

  const seen = { content: new Set<string>(), people: new Set<string>() };
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const rows = filled.map(({ line, cells }): Recipients => {
    const valueOf = (title: string): string => cells[known.indexOf(title)] ?? '';
    const signers = signersOf(circuit, valueOf);
    const subject = valueOf('subject');
    const wrong = faultsOf(circuit, signers, subject);
    if (cells.length !== known.length) wrong.push('cells');
    const addresses = signers.map(({ email }) => email.toLowerCase());
    const content = JSON.stringify([signers.map((signer, at) => ({ ...signer, email: addresses[at] })), subject]);
    const people = addresses.join(' ');
    const warnings: RowWarning[] = [];
    if (seen.content.has(content)) wrong.push('twice');
    else if (seen.people.has(people)) warnings.push('again');
    if (new Set(addresses).size < addresses.length) warnings.push('sameAddress');
    seen.content.add(content);
    seen.people.add(people);
    return { line, cells, signers, subject, faults: wrong, warnings };
  });
  return { titles, rows, faults };
}

function titleFaults(titles: readonly string[], circuit: Circuit): TableFault[] {
  const columns = columnsOf(circuit);
  const named = (fault: TableFault['fault'], wrong: readonly string[]): TableFault[] =>
    wrong.length === 0 ? [] : [{ fault, what: wrong.map((title) => title || '–').join(', ') }];
  const isKnown = (title: string): boolean => title === 'subject' || columns.some((column) => column.title === title);
  return [
    ...named(
      'missing',
      columns.filter(({ title, needed }) => needed && !titles.includes(title)).map(({ title }) => title),
    ),
    ...named(
      'unknown',
      titles.filter((title) => !isKnown(title)),
    ),
    ...named(
      'repeated',
      titles.filter((title, at) => isKnown(title) && titles.indexOf(title) !== at),
    ),
  ];
}

/** A table as text, with tabs between cells. */
export const textOf = (lines: readonly (readonly string[])[]): string =>
  lines
    .map((cells) => cells.map((cell) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\n');
