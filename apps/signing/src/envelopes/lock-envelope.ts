import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { CircuitRow, EnvelopeRow, SignerRow } from './envelope-rows.ts';

/** An envelope whose row this transaction holds, with its signers in the order of signing. */
export interface LockedEnvelope {
  envelope: EnvelopeRow;
  signers: SignerRow[];
  circuit: CircuitRow;
}

/**
 * Takes the row of an envelope, waiting for whoever holds it now, and reads what they left. Whoever changes an envelope or one of its
 * signers takes this lock first: that is the only one needed. Throws NotFound, for another tenant's too.
 */
export async function lockEnvelope(tx: Tx, tenantId: string, envelopeUuid: string): Promise<LockedEnvelope> {
  const [envelope] = await tx.query<EnvelopeRow>(
    'select * from signing.envelope where tenant_id = $1 and id = $2 for update',
    [tenantId, envelopeUuid],
  );
  if (!envelope) throw new NotFound();
  const signers = await tx.query<SignerRow>(
    'select * from signing.envelope_signer where tenant_id = $1 and envelope_id = $2 order by ord, role',
    [tenantId, envelopeUuid],
  );
  const [circuit] = await tx.query<CircuitRow>('select * from signing.circuit where tenant_id = $1 and id = $2', [
    tenantId,
    envelope.circuit_id,
  ]);
  return { envelope, signers, circuit: circuit as CircuitRow };
}
