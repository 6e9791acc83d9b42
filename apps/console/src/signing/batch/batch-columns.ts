import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { hasPhone } from '../send/row.ts';

const OPTIONS = ['external_ref', 'subject', 'message', 'locale', 'expires_in_days', 'notify', 'reminders.after_days'];

/** Columns of a file with envelopes of a circuit, by the names that the API has for them; those that it may need first. */
export function batchColumns({ signers, fields }: Pick<CircuitRow, 'signers' | 'fields'>): string[] {
  const ofSigners = signers.flatMap(({ role, auth }) => {
    const members = ['email', 'name'];
    if (hasPhone(auth)) members.push('phone');
    if (auth.includes('access_code')) members.push('access_code');
    return members.map((member) => `signers.${role}.${member}`);
  });
  const values = fields.filter(({ type }) => type !== 'signature').map(({ key }) => `values.${key}`);
  return [...ofSigners, ...values, ...OPTIONS];
}
