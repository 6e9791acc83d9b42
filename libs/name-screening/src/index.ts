export { LIST_CODES } from './entry.ts';
export type { BirthDate, EntryIdentifier, EntryKind, EntryName, ListCode, ListEntry } from './entry.ts';
