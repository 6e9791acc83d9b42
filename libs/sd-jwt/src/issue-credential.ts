import type { Json } from '@constancia/kernel';
import { isJsonObject, MAX_JSON_DEPTH } from '@constancia/signed-jwt';
import type { JsonObject, JwtSigner } from '@constancia/signed-jwt';
import { pathKey } from './claim-paths.ts';
import type { ClaimPath } from './claim-paths.ts';
import { joinCompact } from './compact-form.ts';
import { ALWAYS_SHOWN, CREDENTIAL_TYP, holderKeyOf } from './credential-claims.ts';
import type { HolderKey, StatusReference } from './credential-claims.ts';
import { createDisclosure, decoyDigest, isReservedName } from './disclosure.ts';
import type { Disclosure } from './disclosure.ts';
import { KEY_BINDING_BYTES, MAX_CREDENTIAL_BYTES, MAX_DISCLOSURES } from './limits.ts';
import type { TypeMetadata } from './type-metadata.ts';

/** Everything revealed, and signed by its holder, it is still accepted. */
const MAX_ISSUED_BYTES = MAX_CREDENTIAL_BYTES - KEY_BINDING_BYTES;

export interface CredentialToIssue {
  issuer: string;
  /** The type: what the claims mean. */
  vct: string;
  /** If given, claims that break its rules are not issued, and the credential names its digest. */
  typeMetadata?: TypeMetadata;
  /** Everything else that the credential says, disclosable or not. */
  claims: JsonObject;
  /** Which of the claims their holder may keep back; one inside another makes two disclosures. */
  disclosable: readonly ClaimPath[];
  /** Digests of nothing that are added wherever something is disclosable. */
  decoys?: number;
  holderKey: HolderKey;
  status?: StatusReference;
  /** Seconds since 1970. */
  issuedAtS: number;
  notBeforeS?: number;
  expiresAtS: number;
}

/** Signs a credential (SD-JWT VC over RFC 9901): the issuer-signed JWT and every disclosure. Throws Error for claims that cannot be issued. */
export async function issueCredential(credential: CredentialToIssue, signer: JwtSigner): Promise<string> {
  const { claims, disclosable, decoys = 0, typeMetadata } = credential;
  const own = Object.keys(claims).find((name) => ALWAYS_SHOWN.has(name) || name === 'iat');
  if (own) throw new Error(`${own} is not given as a claim`);
  const controls = controlsOf(credential);
  typeMetadata?.checkIssued({ ...claims, ...controls }, disclosable);
  const packer = new Packer(disclosable, decoys);
  const packed = packer.ofObject(claims, []);
  packer.refuseUnknownPaths();
  const payload = { ...packed, ...controls, _sd_alg: 'sha-256' };
  const issued = joinCompact(await signer(CREDENTIAL_TYP, payload), packer.disclosures);
  if (issued.length > MAX_ISSUED_BYTES) throw new Error(`the credential is larger than ${MAX_ISSUED_BYTES} bytes`);
  return issued;
}

function controlsOf(credential: CredentialToIssue): JsonObject {
  const { issuer, vct, typeMetadata, holderKey, status, issuedAtS, notBeforeS, expiresAtS } = credential;
  return {
    iss: issuer,
    iat: issuedAtS,
    ...(notBeforeS !== undefined && { nbf: notBeforeS }),
    exp: expiresAtS,
    vct,
    ...(typeMetadata && { 'vct#integrity': typeMetadata.integrity }),
    cnf: { jwk: { ...holderKeyOf(holderKey) } },
    ...(status && { status: { status_list: { uri: status.uri, idx: status.idx } } }),
  };
}

/** Replaces disclosable claims by digests, from the inside out. */
class Packer {
  readonly disclosures: Disclosure[] = [];
  private readonly wanted: Set<string>;

  constructor(
    disclosable: readonly ClaimPath[],
    private readonly decoys: number,
  ) {
    this.wanted = new Set(disclosable.map(pathKey));
    if (this.wanted.size > MAX_DISCLOSURES) throw new Error(`a credential has ${MAX_DISCLOSURES} disclosures at most`);
  }

  ofObject(object: JsonObject, path: ClaimPath): JsonObject {
    const plain: JsonObject = {};
    const digests: string[] = [];
    for (const [name, value] of Object.entries(object)) {
      if (isReservedName(name)) throw new Error(`no claim may be named ${name}`);
      const place = [...path, name];
      const packed = this.ofValue(value, place);
      if (this.takes(place)) digests.push(this.disclose(name, packed));
      else plain[name] = packed;
    }
    if (digests.length === 0) return plain;
    for (let nth = 0; nth < this.decoys; nth++) digests.push(decoyDigest());
    return { ...plain, _sd: digests.sort() }; // by their own order, which says nothing of the claims'
  }

  refuseUnknownPaths(): void {
    const [unknown] = this.wanted;
    if (unknown) throw new Error(`there is no claim at ${unknown}`);
  }

  private ofValue(value: Json, path: ClaimPath): Json {
    if (typeof value === 'object' && value !== null) refuseTooDeep(path);
    if (Array.isArray(value)) return value.map((element, index) => this.ofElement(element, [...path, index]));
    return isJsonObject(value) ? this.ofObject(value, path) : value;
  }

  private ofElement(element: Json, place: ClaimPath): Json {
    const packed = this.ofValue(element, place);
    return this.takes(place) ? { '...': this.disclose(null, packed) } : packed;
  }

  private takes(place: ClaimPath): boolean {
    const wanted = this.wanted.delete(pathKey(place));
    if (wanted) refuseTooDeep(place); // the digest stands inside an array or object that was not there
    return wanted;
  }

  private disclose(name: string | null, value: Json): string {
    const disclosure = createDisclosure(name, value);
    this.disclosures.push(disclosure);
    return disclosure.digest;
  }
}

/** Throws Error where an array or object would be nested deeper than a verifier reads. */
function refuseTooDeep(place: ClaimPath): void {
  if (place.length >= MAX_JSON_DEPTH) throw new Error(`claims are nested deeper than ${MAX_JSON_DEPTH} levels`);
}
