import { generateOwnerProofToken } from '@constancia/auth';
import type { Mailer } from '@constancia/mail';
import type { Database } from '@constancia/persistence';
import type { Locale } from '../locale.ts';
import { OWNER_PROOF_TTL_SECONDS, ownerProofMail } from './owner-proof-mail.ts';

export interface ProofRecipient {
  tenantId: string;
  ownerEmail: string;
  displayName: string;
  locale: Locale;
}

/** Mails an owner a new token. One whose mail is not sent is taken back; throws what the mailer threw. */
export async function mailOwnerProof(
  { database, mailer, baseUrl }: { database: Database; mailer: Mailer; baseUrl: string },
  { tenantId, ownerEmail, displayName, locale }: ProofRecipient,
): Promise<void> {
  const token = generateOwnerProofToken();
  await database.query('select platform.issue_owner_proof($1, $2, $3)', [
    tenantId,
    token.hash,
    OWNER_PROOF_TTL_SECONDS,
  ]);
  try {
    const mail = ownerProofMail(locale, { tenantId, displayName, token: token.plaintext, baseUrl });
    await mailer.send({ to: ownerEmail, ...mail });
  } catch (error) {
    await database.query('select platform.drop_owner_proof($1)', [token.hash]);
    throw error;
  }
}
