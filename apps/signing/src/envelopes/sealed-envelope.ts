import { StateConflict } from '@constancia/problem-json';
import type { SealedDocument } from '../signatures/integrity.ts';
import type { EnvelopeRow } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';

const NOT_SEALED: Record<Exclude<EnvelopeStatus, 'sealed'>, string> = {
  sent: 'Nobody has signed yet: there is a sealed document once everyone has.',
  in_progress: 'Not everyone has signed yet: there is a sealed document once everyone has.',
  sealing: 'Everyone has signed and the document is being sealed: ask again soon.',
  declined: 'A signer declined: there is no sealed document.',
  voided: 'The envelope was voided: there is no sealed document.',
  expired: 'The envelope expired before everyone had signed: there is no sealed document.',
  failed: 'The document could not be sealed. Read failure_reason.',
};

/** The sealed document of an envelope. Throws StateConflict while there is none. */
export function sealedEnvelope(envelope: Pick<EnvelopeRow, 'status'>): SealedDocument {
  const { status } = envelope;
  if (status !== 'sealed') throw new StateConflict(NOT_SEALED[status], { status_of_envelope: status });
  return envelope as unknown as SealedDocument; // the table checks that a sealed row is whole
}
