/**
 * What makes a statement's PDF, a program of its own: the libraries that draw and sign (1 MB) are loaded with the first statement and not
 * when the platform starts. Only characters of the standard fonts are drawn, so that it needs no font file and nothing that reads one.
 */
import { ownDocument, seal, type SealingIdentity, signatureRoom } from '@constancia/pdf-sealing';
import { type StatementFacts, statementPages } from './statement-pages.ts';

export { selfIssuedCertificate } from '@constancia/pdf-sealing';

/** What the standard fonts of PDF have beyond Latin-1 (WinAnsi). */
const WIN_ANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** A sealed statement (PAdES B-B). What `sign` throws passes through. */
export async function pressStatement(
  facts: StatementFacts,
  identity: SealingIdentity,
  sign: (digest: Buffer) => Promise<Buffer>,
): Promise<Buffer> {
  const pages = statementPages({ ...facts, displayName: inStandardFonts(facts.displayName) });
  const prepared = await ownDocument(pages, {
    fieldName: `statement-${facts.slug}-${facts.statement.month}`,
    signatureBytes: signatureRoom(identity, false),
    signedAt: facts.madeAt.toISOString(),
  });
  return seal(prepared, { ...identity, sign });
}

/** A name with a question mark for each character that the standard fonts do not have. */
export function inStandardFonts(name: string): string {
  const has = (character: string) => /^[\x20-\x7e\xa0-\xff]$/.test(character) || WIN_ANSI.includes(character);
  return [...name.normalize('NFC')].map((character) => (has(character) ? character : '?')).join('');
}
