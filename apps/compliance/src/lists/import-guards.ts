import { shape } from '@constancia/contracts';
import type { EntryKind, ListCode, ListEntry, ListFormat } from '@constancia/name-screening';
import { ListRefused } from './list-refused.ts';

/** What is compared of two versions of a list. */
export interface ListSize {
  entries: number;
  kinds: Partial<Record<EntryKind, number>>;
}

/** A list may lose this part of its entries at once; more looks like half a file. */
const MAX_SHRINK = 0.1;

/** Formats in which anybody may write any list. */
const GENERAL: readonly ListFormat[] = ['opensanctions-csv', 'ftm-lines', 'senzing-lines', 'plain-csv'];
const OWN: Readonly<Partial<Record<ListCode, readonly ListFormat[]>>> = {
  OFAC: ['ofac-csv', 'ofac-advanced-xml'],
  ONU: ['un-xml'],
  EU_SANCTIONS: ['eu-fsf-xml', 'eu-journal-csv'],
};

/** Refuses the file of another list: it would leave this one without its own people. */
export function refuseAnotherList(list: ListCode, format: ListFormat): void {
  if (GENERAL.includes(format) || OWN[list]?.includes(format)) return;
  const owner = Object.entries(OWN).find(([, formats]) => formats.includes(format))?.[0];
  throw new ListRefused({
    code: 'wrong_list',
    detail: `The file is of the format ${format}, which is the one of ${owner}, not of ${list}. Import it as ${owner}.`,
  });
}

/**
 * Refuses a version that lost more than a tenth of its entries, or every entry of a kind: more often a broken file than news.
 * What is `before` is undefined for a first import.
 */
export function refuseShrinking(before: ListSize | undefined, after: ListSize): void {
  if (before === undefined) return;
  const gone = (Object.keys(before.kinds) as EntryKind[]).find(
    (kind) => (before.kinds[kind] ?? 0) > 0 && (after.kinds[kind] ?? 0) === 0,
  );
  const anyway = 'If the source really says so, import it with --force.';
  if (after.entries < before.entries * (1 - MAX_SHRINK)) {
    const percent = Math.round((1 - after.entries / before.entries) * 100);
    throw new ListRefused({
      code: 'shrunk',
      detail: `The list would shrink by ${percent} %, from ${before.entries} entries to ${after.entries}; 10 % is the most. ${anyway}`,
    });
  }
  if (gone !== undefined) {
    throw new ListRefused({
      code: 'kind_gone',
      detail: `The list would have no ${gone} any more; it has ${before.kinds[gone]} now. ${anyway}`,
    });
  }
}

/** Refuses an entry that screenings could not show as the API describes it: a broken file, or one whose rows run into each other. */
export function refuseLongEntries(entries: readonly ListEntry[]): void {
  const long = entries.find(
    ({ id, names, programmes, role }) =>
      id.length > shape.listEntry.id.maxLength ||
      programmes.length > shape.listEntry.programmes ||
      names.some(({ text }) => text.length > shape.listEntry.text.maxLength) ||
      programmes.some((programme) => programme.length > shape.listEntry.text.maxLength) ||
      (role?.title.length ?? 0) > shape.listEntry.text.maxLength,
  );
  if (long === undefined) return;
  const { id, text, programmes } = shape.listEntry;
  throw new ListRefused({
    code: 'entry_too_long',
    detail:
      `The entry ${long.id.slice(0, 40)} is too long: an identifier has at most ${id.maxLength} characters, a name, an office or a ` +
      `programme ${text.maxLength}, and an entry ${programmes} programmes. Check that its row is whole.`,
  });
}
