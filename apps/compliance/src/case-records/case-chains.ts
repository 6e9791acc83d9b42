import type { ChainedTable, OwnedChain } from '@constancia/persistence';

/** The timeline of a case: one chain per case. The first event's data name the case. */
export const TIMELINE: OwnedChain = {
  schema: 'compliance',
  table: 'case_event',
  owner: 'case_id',
  members: ['actor', 'from', 'to'],
};

/** What concerns all cases of a tenant: the heads of their timelines, from time to time, and every export. */
export const JOURNAL: ChainedTable = {
  schema: 'compliance',
  table: 'case_journal',
  owner: 'tenant_id',
  members: ['actor'],
};
