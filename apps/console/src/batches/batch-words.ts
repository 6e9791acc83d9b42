import type { SPANISH } from './text/spanish.ts';

/** The texts of a kind of batch. */
export type BatchWords = Omit<typeof SPANISH, 'reasons'> & {
  reasons: Readonly<Record<string, string>>;
  open: string;
  list: string;
  listLead: string;
  one: string;
  oneLead: string;
  faults: (count: number, shown: string) => string;
  done: string;
  skipped: string;
  cancelLead: string;
};
