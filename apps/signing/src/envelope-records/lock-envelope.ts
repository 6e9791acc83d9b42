import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { openEnvelope, type StoredEnvelope, type TenantSealing } from './envelope-secrets.ts';
import type { Circuit } from '../circuits/circuit.entity.ts';
import type { EnvelopeRow, SignerRow } from './envelope-rows.ts';
import { openSigner, SIGNER_KEY, type Stored } from './signer-secrets.ts';

/** An envelope whose row this transaction holds, with its signers in the order of signing. */
export interface LockedEnvelope {
  envelope: EnvelopeRow;
  signers: SignerRow[];
  circuit: Circuit;
}

/**
 * Takes the row of an envelope, waiting for the transaction that holds it now, and reads what it left. Anyone who changes an envelope or one of its
 * signers takes this lock first: that is the only one needed. Throws NotFound, for another tenant's too.
 */
export async function lockEnvelope(
  tx: Tx,
  sealing: TenantSealing,
  tenantId: string,
  envelopeUuid: string,
): Promise<LockedEnvelope> {
  const [stored] = await tx.query<Omit<StoredEnvelope, 'envelope_key'>>(
    'select * from signing.envelope where tenant_id = $1 and id = $2 for update',
    [tenantId, envelopeUuid],
  );
  if (!stored) throw new NotFound();
  const signers = await tx.query<Stored<SignerRow>>(
    `select s.*, ${SIGNER_KEY} from signing.envelope_signer s
      where s.tenant_id = $1 and s.envelope_id = $2 order by s.ord, s.role`,
    [tenantId, envelopeUuid],
  );
  // The key in a statement after the lock: the statement that waited for the lock does not see a key that was committed while it waited.
  const [row] = await tx.query<Circuit & { envelope_key: Buffer | null }>(
    `select c.*, (select k.wrapped_key from signing.subject_key k where k.tenant_id = $1 and k.id = $3) as envelope_key
       from signing.circuit c where c.tenant_id = $1 and c.id = $2`,
    [tenantId, stored.circuit_id, envelopeUuid],
  );
  const { envelope_key, ...circuit } = row as Circuit & { envelope_key: Buffer | null };
  return {
    envelope: openEnvelope(sealing, { ...stored, envelope_key }),
    signers: signers.map((signer) => openSigner<SignerRow>(sealing.keyring, signer)),
    circuit,
  };
}
