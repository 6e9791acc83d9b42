import type { OwnedChain } from '@constancia/persistence';

/** The audit trail of a flow session: one chain per session. No personal data: a link is never taken out again. */
export const TRAIL: OwnedChain = {
  schema: 'identity',
  table: 'session_event',
  owner: 'session_id',
  members: ['actor', 'step', 'from', 'to'],
};
