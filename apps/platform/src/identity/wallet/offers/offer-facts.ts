import type { WalletLevel } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { captureOf } from '../../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { openContext } from '../../sessions/session-context.ts';
import { sessionRow } from '../../sessions/session-changes.ts';
import { isAccepted, runsOf } from '../../sessions/step-run.ts';
import { Subjects } from '../../subjects/subjects.ts';
import { allowsFace } from '../keep-texts.ts';
import { type OfferRecord, offerContext } from './offer-record.ts';
import type { WalletConsent } from '../wallet-consent.entity.ts';
import { levelOf } from '../wallet-level.ts';
import { WalletOffer } from './wallet-offer.entity.ts';
import type { ConsentOrigin, KeptVerification, WalletContact } from '../wallet-records.ts';

/** What a wallet gets of a confirmed offer. */
export interface KeptFacts {
  tenantId: string;
  sessionId: string;
  confirmedAt: Date;
  contact: WalletContact;
  level: WalletLevel;
  verifiedAt: Date;
  verification: KeptVerification;
  consent: Pick<WalletConsent, 'text_version' | 'locale' | 'text_sha256' | 'given_at'>;
  origin: ConsentOrigin;
  /** The picture of the face that was compared, if there is one and the person agreed that it is kept. UUIDs. */
  face: { subjectId: string; assetId: string } | null;
}

/** Reads what was verified in a session whose person asked to keep it. */
@Injectable()
export class OfferFacts {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
  ) {}

  /** Null: the offer is gone or settled, or its subject was erased. */
  of(tenantId: string, sessionId: string): Promise<KeptFacts | null> {
    return this.database.tenant(tenantId, async (tx) => {
      const offer = await tx.manager.findOneBy(WalletOffer, { session_id: sessionId, tenant_id: tenantId });
      if (offer?.state !== 'confirmed' || offer.confirmed_at === null) return null;
      const session = await sessionRow(tx, tenantId, sessionId);
      const subject = await this.subjects.find(tx, tenantId, session.subject_id);
      const data = await this.subjects.open(tx, subject);
      const text = await this.subjects.unseal(tx, subject, offerContext(sessionId), offer.sealed);
      const level = levelOf(session, await openContext(tx, this.subjects, session, subject));
      if (!data?.documentNumber || text === null || level === null || session.completed_at === null) return null;
      const { email, ip, user_agent } = JSON.parse(text) as OfferRecord;
      const { tenant_name: verified_for } = await captureOf(tx, { tenantId, sessionId });
      const selfie = allowsFace(offer.text_version) ? await comparedSelfie(tx, sessionId) : null;
      return {
        tenantId,
        sessionId,
        confirmedAt: offer.confirmed_at,
        contact: { email },
        level,
        verifiedAt: session.completed_at,
        verification: {
          document_type: session.document_type,
          document_country: session.document_country,
          document_number: data.documentNumber,
          full_name: data.fullName,
          birth_date: data.birthDate,
          verified_for,
        },
        consent: {
          text_version: offer.text_version,
          locale: offer.locale,
          text_sha256: offer.text_sha256,
          given_at: offer.given_at,
        },
        origin: { verified_for, ip, user_agent },
        face: selfie === null ? null : { subjectId: session.subject_id, assetId: selfie },
      };
    });
  }
}

/** The selfie of the face step that was accepted; a step that a sandbox trigger decided looked at none. */
async function comparedSelfie(tx: Tx, sessionId: string): Promise<string | null> {
  const run = (await runsOf(tx, sessionId)).findLast((one) => one.step_type === 'face' && isAccepted(one));
  return typeof run?.input.selfie === 'string' ? run.input.selfie : null;
}
