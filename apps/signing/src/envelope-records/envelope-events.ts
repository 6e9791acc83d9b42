import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import type { EnvelopeRow, SignerRow } from './envelope-rows.ts';

/** Events of the journey that this app emits; the sealing worker emits seal.envelope.completed and .failed. */
export type JourneyEvent =
  `seal.envelope.${'sent' | 'viewed' | 'signed' | 'declined' | 'voided' | 'expired' | 'not_me'}`;

/** An event of the journey of an envelope. `signer`: whom it is about, null where no single one is meant. */
export function envelopeEvent(
  type: JourneyEvent,
  envelope: Pick<EnvelopeRow, 'id' | 'tenant_id' | 'circuit_id' | 'external_ref' | 'metadata'>,
  signer: Pick<SignerRow, 'id' | 'role'> | null,
): EventRecord {
  const occurredAt = new Date();
  return eventRecord({
    tenantId: envelope.tenant_id,
    module: 'seal',
    type,
    occurredAt,
    payload: {
      envelope_id: typeId('env', envelope.id),
      circuit_id: typeId('cir', envelope.circuit_id),
      external_ref: envelope.external_ref,
      metadata: envelope.metadata,
      signer: signer && { id: typeId('sgn', signer.id), role: signer.role },
      at: occurredAt.toISOString(),
    },
  });
}
