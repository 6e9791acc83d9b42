import { sealRecord, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { SubjectKeys } from '../subjects/subject-keys.ts';
import { ConsentEvidenceRow } from './consent-evidence.entity.ts';

type ConsentFacts = Omit<ConsentEvidenceRow, 'id' | 'tenant_id' | 'sealed_origin' | 'given_at'>;

/** Where a consent came from. */
interface Origin {
  ip: string;
  userAgent: string | null;
}

/** What the origin of a consent is bound to, beside tenant and subject. */
const consentContext = (evidenceId: string): string => `consent:${evidenceId}`;

/**
 * Proof that a subject agreed before anything was done (Ley 1581 of 2012, articles 6, 9 and 12). The row is never changed; where the
 * consent came from (IP address, user agent) is sealed under the subject's key and ends with it.
 */
@Injectable()
export class ConsentEvidence {
  constructor(private readonly keys: SubjectKeys) {}

  async record(tx: Tx, tenantId: string, facts: ConsentFacts, { ip, userAgent }: Origin): Promise<void> {
    const key = await this.keys.of(tx, tenantId, facts.subject_id);
    if (key === null) throw new StateConflict('The subject was erased.');
    const id = uuidv7();
    const origin = JSON.stringify({ ip, user_agent: userAgent });
    await tx.manager.insert(ConsentEvidenceRow, {
      id,
      tenant_id: tenantId,
      ...facts,
      sealed_origin: sealRecord(key, { tenantId, subjectId: facts.subject_id }, consentContext(id), origin),
    });
  }
}
