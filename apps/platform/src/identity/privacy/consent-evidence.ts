import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { sealRecord } from '@constancia/storage';
import type { ConsentFacts, ConsentRecords } from '../sessions/session-ports.ts';
import type { SubjectKeys } from '../subjects/subject-keys.ts';

/** What the origin of a consent is bound to, beside tenant and subject. */
export const consentContext = (evidenceId: string): string => `consent:${evidenceId}`;

/**
 * Proof that a subject agreed before anything was done (Ley 1581 of 2012, articles 6, 9 and 12). The row is never changed; where the
 * consent came from (IP address, user agent) is sealed under the subject's key and ends with it.
 */
export class ConsentEvidence implements ConsentRecords {
  constructor(private readonly keys: SubjectKeys) {}

  async record(tx: Tx, tenantId: string, facts: ConsentFacts): Promise<void> {
    const key = await this.keys.of(tx, tenantId, facts.subjectId);
    if (key === null) throw new StateConflict('The subject was erased.');
    const id = uuidv7();
    const origin = JSON.stringify({ ip: facts.ip, user_agent: facts.userAgent });
    await tx.query(
      `insert into identity.consent_evidence (id, tenant_id, session_id, subject_id, locale, text_version, text_sha256,
         purposes, sensitive_data, sealed_origin)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        tenantId,
        facts.sessionId,
        facts.subjectId,
        facts.locale,
        facts.textVersion,
        Buffer.from(facts.textSha256, 'hex'),
        facts.purposes,
        facts.sensitiveData,
        sealRecord(key, { tenantId, subjectId: facts.subjectId }, consentContext(id), origin),
      ],
    );
  }
}
