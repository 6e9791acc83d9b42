import { PRICE } from '@constancia/contracts';
import { type EventRecord, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import type { Presentation } from '../presentations/presentation.entity.ts';

type Named = Pick<Presentation, 'id' | 'tenant_id' | 'external_ref' | 'metadata'>;

const facts = ({ id, external_ref, metadata }: Named) => ({
  presentation_id: typeId('wpr', id),
  external_ref,
  metadata,
});

/** wallet.presentation.declined and wallet.presentation.expired: nothing but which request. */
export function endedEvent(presentation: Named, how: 'declined' | 'expired'): EventRecord {
  return eventRecord({
    tenantId: presentation.tenant_id,
    module: 'identity',
    type: `wallet.presentation.${how}`,
    payload: facts(presentation),
  });
}

export function approvedEvent(
  presentation: Named,
  given: { subjectId: string; claims: string[]; level: string; verifiedAt: Date; approvedAt: Date },
): EventRecord {
  return eventRecord({
    tenantId: presentation.tenant_id,
    module: 'identity',
    type: 'wallet.presentation.approved',
    payload: {
      ...facts(presentation),
      subject_id: typeId('sub', given.subjectId),
      claims: given.claims,
      level: given.level,
      verified_at: given.verifiedAt.toISOString(),
      approved_at: given.approvedAt.toISOString(),
      credits_debited: PRICE.kycReuse,
    },
  });
}

export function revokedEvent(presentation: Named & { subject_id: string }, revokedAt: Date): EventRecord {
  return eventRecord({
    tenantId: presentation.tenant_id,
    module: 'identity',
    type: 'wallet.consent.revoked',
    payload: {
      ...facts(presentation),
      subject_id: typeId('sub', presentation.subject_id),
      revoked_at: revokedAt.toISOString(),
    },
  });
}

/** wallet.sign_in.revoked. `clientId`: UUID. `sub`: what clients of the tenant call the person. */
export function signInRevokedEvent(
  tenantId: string,
  { clientId, sub, revokedAt }: { clientId: string; sub: string; revokedAt: Date },
): EventRecord {
  return eventRecord({
    tenantId,
    module: 'identity',
    type: 'wallet.sign_in.revoked',
    payload: { client_id: typeId('oic', clientId), sub, revoked_at: revokedAt.toISOString() },
  });
}
