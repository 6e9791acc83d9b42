import type { Json } from '@constancia/kernel';
import { isJsonObject, MAX_JSON_DEPTH } from '@constancia/signed-jwt';
import type { JsonObject } from '@constancia/signed-jwt';
import type { ClaimPath } from './claim-paths.ts';
import type { Disclosure } from './disclosure.ts';
import { refused } from './refusals.ts';

export interface DisclosedClaim {
  disclosure: Disclosure;
  path: ClaimPath;
}

export interface DisclosedClaims {
  /** The claims as the issuer knew them, without what was not disclosed. */
  claims: JsonObject;
  /** Each disclosure with its place, an outer one before those inside it. */
  disclosed: DisclosedClaim[];
}

/**
 * Puts disclosures into the places of their digests (RFC 9901, section 7.1, step 3). Throws TokenRefused when a digest occurs twice,
 * a disclosure belongs nowhere, is of the wrong kind, or would replace a claim.
 */
export function discloseClaims(payload: JsonObject, disclosures: readonly Disclosure[]): DisclosedClaims {
  const { _sd_alg: algorithm, ...rest } = payload;
  if (algorithm !== undefined && algorithm !== 'sha-256') throw refused('hash_algorithm', '_sd_alg is not sha-256');
  const substitution = new Substitution(disclosures);
  const claims = substitution.ofObject(rest, []);
  substitution.refuseUnreferenced();
  return { claims, disclosed: substitution.disclosed };
}

class Substitution {
  readonly disclosed: DisclosedClaim[] = [];
  private readonly byDigest: ReadonlyMap<string, Disclosure>;
  private readonly seenDigests = new Set<string>();

  constructor(private readonly disclosures: readonly Disclosure[]) {
    this.byDigest = new Map(disclosures.map((each) => [each.digest, each]));
    if (this.byDigest.size !== disclosures.length) throw refused('duplicate_digest', 'a disclosure is there twice');
  }

  ofObject(object: JsonObject, path: ClaimPath): JsonObject {
    if (Object.hasOwn(object, '...')) throw refused('reserved_name', 'a claim is named ...');
    if (Object.hasOwn(object, '_sd_alg')) throw refused('reserved_name', '_sd_alg is not at the top');
    const { _sd: digests = [], ...plain } = object;
    const claims: JsonObject = {};
    for (const [name, value] of Object.entries(plain)) claims[name] = this.ofValue(value, [...path, name]);
    if (!Array.isArray(digests)) throw refused('malformed', '_sd is not an array');
    for (const digest of digests) {
      const disclosure = this.disclosureOf(digest);
      if (disclosure) this.addClaim(claims, disclosure, path);
    }
    return claims;
  }

  refuseUnreferenced(): void {
    if (this.disclosed.length !== this.disclosures.length)
      throw refused('unreferenced_disclosure', 'a disclosure belongs to no digest of the credential');
  }

  private addClaim(claims: JsonObject, disclosure: Disclosure, path: ClaimPath): void {
    const { name, value } = disclosure;
    if (name === null) throw refused('disclosure', 'an element is disclosed in the place of a claim');
    if (Object.hasOwn(claims, name)) throw refused('disclosure', 'a disclosed claim is there already');
    const place = [...path, name];
    this.disclosed.push({ disclosure, path: place });
    claims[name] = this.ofValue(value, place);
  }

  private ofValue(value: Json, path: ClaimPath): Json {
    // Disclosures inside of disclosures included, each of which was decoded by itself.
    if (path.length > MAX_JSON_DEPTH)
      throw refused('malformed', `claims are nested deeper than ${MAX_JSON_DEPTH} levels`);
    if (Array.isArray(value)) return this.ofArray(value, path);
    return isJsonObject(value) ? this.ofObject(value, path) : value;
  }

  private ofArray(elements: readonly Json[], path: ClaimPath): Json[] {
    const shown: Json[] = [];
    for (const element of elements) {
      const place = [...path, shown.length];
      if (!isJsonObject(element) || !Object.hasOwn(element, '...')) {
        shown.push(this.ofValue(element, place));
        continue;
      }
      if (Object.keys(element).length !== 1) throw refused('malformed', 'a digest of an element is not alone');
      const disclosure = this.disclosureOf(element['...']);
      if (disclosure) shown.push(this.ofElement(disclosure, place));
    }
    return shown;
  }

  private ofElement(disclosure: Disclosure, place: ClaimPath): Json {
    if (disclosure.name !== null) throw refused('disclosure', 'a claim is disclosed in the place of an element');
    this.disclosed.push({ disclosure, path: place });
    return this.ofValue(disclosure.value, place);
  }

  /** Undefined for a claim that is not disclosed, and for a decoy. */
  private disclosureOf(digest: Json | undefined): Disclosure | undefined {
    if (typeof digest !== 'string') throw refused('malformed', 'a digest is not a string');
    if (this.seenDigests.has(digest)) throw refused('duplicate_digest', 'a digest is there twice');
    this.seenDigests.add(digest);
    return this.byDigest.get(digest);
  }
}
