import { type Retention, RETENTION_PERIODS } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';

/** As platform_v1.tenant_retention returns it; null: the default. */
interface StoredRetention {
  identity_image_days: number | null;
  identity_session_days: number | null;
  identity_legal_hold_days: number | null;
  compliance_blocked_days: number | null;
  signing_unsealed_envelope_days: number | null;
}

const { identity, compliance, signing } = RETENTION_PERIODS;

/** The retention of the transaction's tenant, from any module. */
export async function retentionOf(tx: Tx, tenantId: string): Promise<Retention> {
  const sql = 'select * from platform_v1.tenant_retention($1)';
  const [stored] = await tx.query<StoredRetention>(sql, [tenantId]);
  return {
    identity: {
      image_days: stored?.identity_image_days ?? identity.image_days.default,
      session_days: stored?.identity_session_days ?? identity.session_days.default,
      legal_hold_days: stored?.identity_legal_hold_days ?? identity.legal_hold_days.default,
    },
    compliance: { blocked_days: stored?.compliance_blocked_days ?? compliance.blocked_days.default },
    signing: {
      unsealed_envelope_days: stored?.signing_unsealed_envelope_days ?? signing.unsealed_envelope_days.default,
    },
  };
}
