import type { OwnedChain } from '@constancia/persistence';

/** The trail of an envelope: one chain per envelope. signer_id is the TypeID as the API shows it, because what is shown is hashed. */
export const ENVELOPE_TRAIL: OwnedChain = {
  schema: 'signing',
  table: 'envelope_event',
  owner: 'envelope_id',
  members: ['signer_id', 'role', 'ip', 'user_agent'],
};
