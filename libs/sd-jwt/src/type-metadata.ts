import type { JsonObject } from '@constancia/signed-jwt';
import { isJsonObject, parseJson } from '@constancia/signed-jwt';
import { pathKey, selectedPaths } from './claim-paths.ts';
import type { ClaimPath, ClaimPathPattern } from './claim-paths.ts';
import { integrityOf, matchesIntegrity } from './integrity.ts';
import { refused } from './refusals.ts';

const SELECTIVE = ['always', 'allowed', 'never'] as const;

interface ClaimRule {
  path: ClaimPathPattern;
  mandatory: boolean;
  sd: (typeof SELECTIVE)[number];
}

/** A document larger than this is refused. */
const MAX_DOCUMENT_BYTES = 65_536;

/**
 * What a type of credential is made of (SD-JWT VC, type metadata): which claims it has to have, and which of them its holder may keep
 * back. Texts for display are not read. A type that extends another is refused, since nothing is fetched here.
 */
export class TypeMetadata {
  private constructor(
    readonly vct: string,
    /** The document's digest: what a credential says of it in `vct#integrity`. */
    readonly integrity: string,
    private readonly document: Buffer,
    private readonly rules: readonly ClaimRule[],
  ) {}

  /** Throws TokenRefused when the document is malformed, or about another type than `vct`. */
  static read(document: Buffer, vct: string): TypeMetadata {
    if (document.length > MAX_DOCUMENT_BYTES) throw refused('too_large', 'the type metadata are too large');
    const content = parseJson(document, 'the type metadata');
    if (!isJsonObject(content) || content.vct !== vct)
      throw refused('credential_type', 'the type metadata are about another type');
    if (content.extends !== undefined) throw refused('credential_type', 'the type extends another');
    return new TypeMetadata(vct, integrityOf(document), document, rulesOf(content));
  }

  /** Throws Error when claims may not be issued as this type. */
  checkIssued(claims: JsonObject, disclosable: readonly ClaimPath[]): void {
    if (claims.vct !== this.vct) throw new Error('the claims are of another type');
    const missing = this.rules.find(({ mandatory, path }) => mandatory && selectedPaths(claims, path).length === 0);
    if (missing) throw new Error(`the type needs a claim at ${pathKey(missing.path)}`);
    const wrong = this.wrongDisclosure(claims, disclosable);
    if (wrong) throw new Error(`the type does not let ${pathKey(wrong)} be issued like this`);
  }

  /**
   * Throws TokenRefused when a verified credential names other type metadata than these, or hides and shows claims in another way than
   * they say. Which claims are there depends on the holder, so none is missed.
   */
  checkShown(claims: JsonObject, disclosed: readonly ClaimPath[]): void {
    if (claims.vct !== this.vct) throw refused('credential_type', 'the credential is of another type');
    const integrity = claims['vct#integrity'];
    if (integrity !== undefined && !(typeof integrity === 'string' && matchesIntegrity(this.document, integrity)))
      throw refused('credential_type', 'the credential was issued with other type metadata');
    const wrong = this.wrongDisclosure(claims, disclosed);
    if (wrong) throw refused('credential_type', 'a claim is not as disclosable as its type says');
  }

  /** The place of a claim that is disclosable and may not be, or is not and has to be. */
  private wrongDisclosure(claims: JsonObject, disclosable: readonly ClaimPath[]): ClaimPath | undefined {
    const keys = new Set(disclosable.map(pathKey));
    for (const { path, sd } of this.rules) {
      if (sd === 'allowed') continue;
      const wrong = selectedPaths(claims, path).find((place) => keys.has(pathKey(place)) !== (sd === 'always'));
      if (wrong) return wrong;
    }
    return undefined;
  }
}

function rulesOf({ claims = [] }: JsonObject): ClaimRule[] {
  if (!Array.isArray(claims)) throw refused('malformed', 'claims of the type metadata is not an array');
  return claims.map((claim) => {
    const { path, mandatory = false, sd = 'allowed' } = isJsonObject(claim) ? claim : {};
    const selective = SELECTIVE.find((each) => each === sd);
    if (!isPattern(path) || typeof mandatory !== 'boolean' || !selective)
      throw refused('malformed', 'a claim of the type metadata has no valid path, mandatory or sd');
    return { path, mandatory, sd: selective };
  });
}

const isPattern = (path: unknown): path is ClaimPathPattern =>
  Array.isArray(path) &&
  path.length > 0 &&
  path.every((step) => step === null || typeof step === 'string' || (Number.isInteger(step) && Number(step) >= 0));
