export { ALL_LIST_CODES, LIST_CODES } from '@constancia/reference-data';
export type { ListCode } from '@constancia/reference-data';

export type EntryKind = 'person' | 'organisation' | 'vessel' | 'aircraft' | 'unknown';

/** A name of an entry. The first name of an entry is its primary one. */
export interface EntryName {
  /** As the source writes it, given names before surnames where the source distinguishes them. */
  text: string;
  /** primary; strong: an alias that the source vouches for; weak: low quality, never a hit by itself. */
  quality: 'primary' | 'strong' | 'weak';
}

/** A birth date, as exactly as the source knows it. Inclusive range; both ends equal for a day. `YYYY-MM-DD`. */
export interface BirthDate {
  from: string;
  to: string;
  /** The source says "circa", "approximately". */
  circa: boolean;
}

export interface EntryIdentifier {
  /** CC, CE, TI, PA, PPT, NIT where the source's kind maps to one of them; else the source's own word. */
  type: string;
  /** ISO 3166-1 alpha-2, where the source says. */
  country?: string;
  /** As the source writes it. */
  number: string;
}

/** One designated person, organization or thing: what every importer produces and the index is built from. */
export interface ListEntry {
  /** The source's own identifier, unique within the list. */
  id: string;
  kind: EntryKind;
  names: EntryName[];
  birthDates: BirthDate[];
  /** Nationality, citizenship, residence. ISO 3166-1 alpha-2. */
  countries: string[];
  identifiers: EntryIdentifier[];
  /** Sanctions programmes: SDGT, SDNTK, TERR… */
  programmes: string[];
  /** For a politically exposed person: the office, and the day that it ended. */
  role?: { title: string; until?: string };
}
