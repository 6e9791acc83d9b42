import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { Between, In, IsNull } from 'typeorm';
import { IdentityDatabase } from '../../identity-database.ts';
import { Presentation } from '../../presentations/presentation.entity.ts';
import { FlowSessionRow } from '../../sessions/flow-session.entity.ts';
import type { Ownership } from '../../subjects/person-bearer.ts';
import { DocumentDigest } from '../../subjects/document-digest.ts';
import { Subject } from '../../subjects/subject.entity.ts';
import { WalletConsent } from '../../wallet/wallet-consent.entity.ts';
import { WalletKeys } from '../../wallet/wallet-keys.ts';
import {
  type ConsentOrigin,
  consentRecord,
  type KeptVerification,
  openOfWallet,
  verificationRecord,
} from '../../wallet/wallet-records.ts';
import { WalletVerification } from '../../wallet/wallet-verification.entity.ts';
import { Wallet } from '../../wallet/wallet.entity.ts';

/** A person at a tenant. UUIDs. */
interface Person {
  tenantId: string;
  walletId: string;
}

/** The consent to a request is recorded just before the request ends, in one transaction. */
const CONSENT_BEFORE_END_MS = 60_000;

/** What says whether a subject is the person of a wallet. */
interface Evidence {
  subject: Subject;
  wrappedKey: Buffer;
  verifications: WalletVerification[];
  /** The last request that the subject was given for; null: none was, or the person withdrew the consent. */
  given: Presentation | null;
  /** Those of the wallet that may be the consent to it. */
  consents: WalletConsent[];
  /** A kept verification is of a session of the subject. */
  keptHere: boolean;
}

/**
 * Which subjects of a tenant are the person of a wallet. No row says so: a wallet belongs to no tenant. It follows from what the person keeps
 * of a session of the subject, or from their consent to the last request by which the subject got its data. The document of the subject, where
 * it is known, is one of the wallet: an external_ref alone proves nothing.
 */
@Injectable()
export class OwnSubjects {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly keys: WalletKeys,
    private readonly digest: DocumentDigest,
  ) {}

  async owns(person: Person, subjectId: string, by: Ownership): Promise<boolean> {
    const { tenantId, walletId } = person;
    const evidence = await this.database.tenantAndWallet(tenantId, walletId, (tx) => evidenceOf(tx, person, subjectId));
    if (evidence === null) return false;
    const { subject, given, verifications, consents, keptHere } = evidence;
    const key = await this.keys.unwrap(walletId, evidence.wrappedKey);
    const sameDocument = verifications.some((row) => {
      const kept = openOfWallet<KeptVerification>(key, walletId, verificationRecord(row.id), row.sealed);
      const { document_type: type, document_country: country, document_number: number } = kept;
      return subject.document_number_hmac?.equals(this.digest.of(tenantId, { type, country, number })) === true;
    });
    if (keptHere && sameDocument) return true;
    const documentMatters = by === 'evidence_and_document' || subject.document_number_hmac !== null;
    if (given === null || (documentMatters && !sameDocument)) return false;
    return consents.some((row) => {
      const { shared } = openOfWallet<ConsentOrigin>(key, walletId, consentRecord(row.id), row.sealed_origin);
      return shared?.tenant_id === tenantId && shared.presentation_id === given.id;
    });
  }
}

/** Null: no such subject, or one that was erased, or the wallet was. */
async function evidenceOf(tx: Tx, { tenantId, walletId }: Person, subjectId: string): Promise<Evidence | null> {
  const ofWallet = { wallet_id: walletId };
  const subject = await tx.manager.findOneBy(Subject, { id: subjectId, tenant_id: tenantId, erased_at: IsNull() });
  const wallet = await tx.manager.findOneBy(Wallet, { ...ofWallet, erased_at: IsNull() });
  if (subject === null || wallet === null || wallet.wrapped_key === null) return null;
  const verifications = await tx.manager.findBy(WalletVerification, ofWallet);
  const ofSubject = { tenant_id: tenantId, subject_id: subjectId };
  const completed_at = In(verifications.map(({ verified_at }) => verified_at));
  const keptHere = await tx.manager.existsBy(FlowSessionRow, { ...ofSubject, status: 'completed', completed_at });
  const given = await lastGiven(tx, ofSubject);
  return {
    ...{ subject, wrappedKey: wallet.wrapped_key, verifications, keptHere },
    given: given?.consent_revoked_at === null ? given : null,
    consents: given?.ended_at ? await consentsAround(tx, walletId, given.ended_at) : [],
  };
}

const lastGiven = (tx: Tx, where: { tenant_id: string; subject_id: string }): Promise<Presentation | null> =>
  tx.manager.findOne(Presentation, {
    where: { ...where, status: 'approved' },
    order: { ended_at: 'desc', id: 'desc' },
  });

function consentsAround(tx: Tx, walletId: string, endedAt: Date): Promise<WalletConsent[]> {
  const given_at = Between(new Date(endedAt.getTime() - CONSENT_BEFORE_END_MS), endedAt);
  return tx.manager.findBy(WalletConsent, { wallet_id: walletId, kind: 'share', given_at });
}
