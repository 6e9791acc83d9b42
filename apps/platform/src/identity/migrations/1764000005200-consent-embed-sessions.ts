import { embedSessionSchema } from '@constancia/embed-sessions';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Requests for kept verifications that are answered in frames of tenants' pages (ADR 0215). A token is found for as long as the tenant sees
 * the request as open, or an answer: what only the person knows, such as that they declined, must not show here.
 */
const CONSENT_EMBED_SESSIONS = embedSessionSchema('identity', {
  kind: 'wallet_consent',
  prefix: 'consent_',
  target: 'identity.wallet_presentation',
  found: {
    columns: '',
    values: '',
    joins: `join wallet_presentation p on p.id = e.target_id and p.tenant_id = e.tenant_id
      left join subject s on s.id = p.subject_id`,
    conditions: `and s.erased_at is null
        and (p.status in ('approved', 'declined', 'cancelled') or (p.status = 'pending' and p.expires_at > now()))`,
  },
});

export class IdentityConsentEmbedSessions1764000005200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of CONSENT_EMBED_SESSIONS) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}
