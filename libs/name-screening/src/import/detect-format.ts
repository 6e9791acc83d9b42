import { isObject } from './json-lines.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import { Utf8Text } from './utf8-text.ts';

export const LIST_FORMATS = [
  'ofac-csv',
  'ofac-advanced-xml',
  'un-xml',
  'eu-fsf-xml',
  'opensanctions-csv',
  'ftm-lines',
  'senzing-lines',
  'eu-journal-csv',
  'plain-csv',
] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];
/** What a file can turn out to be: a list, or the FATF's table of countries. */
export type DetectedFormat = ListFormat | 'fatf-csv';

/** Enough for the header of any list, and for the first line of most JSON files. */
const HEAD_BYTES = 256 * 1024;

const ROOTS = new Map<string, ListFormat>(
  Object.entries({
    CONSOLIDATED_LIST: 'un-xml',
    export: 'eu-fsf-xml',
    Sanctions: 'ofac-advanced-xml',
  }),
);
const OTHER_ROOTS = new Map<string, string>(
  Object.entries({
    sdnList: 'This is the old sdn.xml. Get sdn_advanced.xml, or the CSV set, from OFAC.',
    html: 'This is a web page, not a list: the download failed. Download it again.',
    HTML: 'This is a web page, not a list: the download failed. Download it again.',
  }),
);
/** What may stand before a root element, and how far it is looked for. */
const PROLOG = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<![\s\S]*?>/g;
const PROLOG_CHARACTERS = 16 * 1024;
/** Columns by which a header is known. The first whose columns are all there wins. */
const HEADERS: [columns: string[], format: DetectedFormat][] = [
  [['celex', 'programKey', 'schema', 'name'], 'eu-journal-csv'],
  [['country_code', 'category'], 'fatf-csv'],
  [['id', 'schema', 'name', 'aliases'], 'opensanctions-csv'],
  [['id', 'name'], 'plain-csv'],
];

/**
 * What a file is, by its beginning and never by its name. Throws ListFileProblem empty, wrong_encoding, or wrong_format with
 * what it seems to be and what to do.
 */
export async function detectFormat(file: ListFile): Promise<DetectedFormat> {
  const head = await headOf(file);
  if (!head.trim()) throw new ListFileProblem('empty', 'The file is empty. Download it again.', { file: file.name });
  const start = head.trimStart()[0];
  const format = start === '<' ? xmlFormat(head) : start === '{' || start === '[' ? jsonFormat(head) : csvFormat(head);
  if (typeof format === 'string') return format;
  throw new ListFileProblem('wrong_format', format.detail, { file: file.name, line: 1 });
}

type Verdict = DetectedFormat | { detail: string };

function xmlFormat(head: string): Verdict {
  const start = head.slice(0, PROLOG_CHARACTERS).replace(PROLOG, '');
  const root = /<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)/.exec(start)?.[1] ?? '';
  return (
    ROOTS.get(root) ?? {
      detail:
        OTHER_ROOTS.get(root) ?? `XML with the root <${root}> is no list known here (UN, EU FSF or OFAC advanced).`,
    }
  );
}

function jsonFormat(head: string): Verdict {
  let first: unknown;
  try {
    first = JSON.parse(head.trimStart().split('\n', 1)[0] ?? '');
  } catch {
    return jsonFormatByWords(head);
  }
  if (!isObject(first)) return { detail: 'The first line is no JSON object. One object per line is needed.' };
  if ('RECORD_ID' in first) return 'senzing-lines';
  if ('schema' in first || 'op' in first) return 'ftm-lines';
  return { detail: 'The JSON lines are neither FollowTheMoney entities nor Senzing records.' };
}

/** A first line longer than the head is known by its members. */
function jsonFormatByWords(head: string): Verdict {
  if (head.length > HEAD_BYTES / 4 && !head.includes('\n')) {
    if (head.includes('"RECORD_ID"')) return 'senzing-lines';
    if (head.includes('"schema"') || head.includes('"op"')) return 'ftm-lines';
  }
  if (/^\s*\{\s*"versions"/.test(head)) {
    return { detail: 'This is the index of delta files. Get the entities.delta.json files that it names.' };
  }
  return { detail: 'The first line is no JSON object. One object per line is needed.' };
}

function csvFormat(head: string): Verdict {
  const line = head.trimStart().split(/\r?\n/, 1)[0] ?? '';
  const cells = line.split(/[,;]/).map((cell) => cell.replace(/"/g, '').trim());
  const known = HEADERS.find(([columns]) => columns.every((column) => cells.includes(column)));
  if (known) return known[1];
  if (/^\d+,"[^"]/.test(line) && line.includes('-0-')) return 'ofac-csv';
  if (/^\d+,\d+,("|-0-)/.test(line)) {
    return {
      detail: 'This is a part of the OFAC set (aliases or addresses). Name sdn.csv, or the folder that holds the set.',
    };
  }
  return { detail: `The first line is no header that is known here: ${line.slice(0, 80)}` };
}

async function headOf(file: ListFile): Promise<string> {
  const text = new Utf8Text(file.name);
  let head = '';
  const stream = file.open();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      head += text.write(chunk);
      if (head.length >= HEAD_BYTES) break;
    }
  } finally {
    stream.destroy();
  }
  return head;
}

/** The header of a CSV file. */
export async function firstLineOf(file: ListFile): Promise<string> {
  return (await headOf(file)).split(/\r?\n/, 1)[0] ?? '';
}
