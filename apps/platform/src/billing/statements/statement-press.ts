/**
 * What makes a statement's PDF, a program of its own: the libraries that draw and sign (2 MB) are loaded with the first statement and not
 * when the platform starts. The font file is read with the first name that the standard fonts cannot write.
 */
import { ownDocument, seal, type SealingIdentity, signatureRoom } from '@constancia/pdf-sealing';
import { type StatementFacts, statementPages } from './statement-pages.ts';

export { selfIssuedCertificate } from '@constancia/pdf-sealing';

/** A sealed statement (PAdES B-B). What `sign` throws passes through. */
export async function pressStatement(
  facts: StatementFacts,
  identity: SealingIdentity,
  sign: (digest: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const prepared = await ownDocument(statementPages(facts), {
    fieldName: `statement-${facts.slug}-${facts.statement.month}`,
    signatureBytes: signatureRoom(identity, false),
    signedAt: facts.madeAt.toISOString(),
  });
  return seal(prepared, { ...identity, sign });
}
