import { CREDENTIAL_SECONDS } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { type HolderKey, issueCredential } from '@constancia/sd-jwt';
import type { JwtSigner } from '@constancia/signed-jwt';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { SignedStatusLists } from '../../status-lists/signed-status-lists.ts';
import { allotStatusPlaces } from '../../status-lists/status-indexes.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import type { KeptVerification } from '../wallet-records.ts';
import type { WalletVerification } from '../wallet-verification.entity.ts';
import { IDENTITY_VCT, identityClaims } from './identity-claims.ts';
import { WalletCredentialCopy } from './wallet-credential-copy.entity.ts';
import { WalletCredential } from './wallet-credential.entity.ts';

/** Copies of a credential at most: for so many verifiers, none of whom can tell that they saw the same one. */
export const MAX_COPIES = 10;
const DAY_SECONDS = 86_400;

export interface CredentialRequest {
  verification: WalletVerification;
  kept: KeptVerification;
  /** A copy is bound to each: their holder has proved to have them. No two are the same. */
  holderKeys: readonly HolderKey[];
}

/** Issues credentials of kept verifications: SD-JWT VC, signed with ES256. */
@Injectable()
export class CredentialIssuer {
  private readonly issued;

  constructor(
    private readonly config: PlatformConfig,
    private readonly keys: TokenKeys,
    private readonly lists: SignedStatusLists,
    metrics: Metrics,
  ) {
    this.issued = metrics.counter('wallet_credential_copies_total', 'Copies of credentials that were issued', []);
  }

  /** The issuer's name in credentials, and in OpenID4VCI. */
  get name(): string {
    return `${this.config.apiUrl}/v1/oidc`;
  }

  /** Throws DependencyUnavailable while KMS cannot be reached: ask for it before a transaction. */
  signer(): Promise<JwtSigner> {
    return this.keys.signer('credential');
  }

  /**
   * Issues a copy for each key, and notes where their statuses stand, in the transaction of the wallet. They share nothing but the day and
   * the claims: each has a key, salts and a place in a status list of its own.
   */
  async issue(tx: Tx, { verification, kept, holderKeys }: CredentialRequest, signer: JwtSigner): Promise<string[]> {
    const { id: verificationId, wallet_id: walletId } = verification;
    const now = new Date();
    const issuedAtS = Math.floor(now.getTime() / 1_000 / DAY_SECONDS) * DAY_SECONDS;
    const expiresAtS = issuedAtS + CREDENTIAL_SECONDS;
    const claims = identityClaims(verification, kept, now);
    const disclosable = Object.keys(claims).map((name) => [name]);
    const places = await allotStatusPlaces(tx, holderKeys.length);
    const credentialId = uuidv7();
    await tx.manager.insert(WalletCredential, {
      ...{ id: credentialId, wallet_id: walletId, verification_id: verificationId, copies: holderKeys.length },
      expires_at: new Date(expiresAtS * 1_000),
    });
    const place = { credential_id: credentialId, wallet_id: walletId };
    await tx.manager.insert(
      WalletCredentialCopy,
      places.map((each) => ({ ...each, ...place })),
    );
    const copies: string[] = [];
    for (const [nth, holderKey] of holderKeys.entries()) {
      const { list_id, idx } = places[nth] as (typeof places)[number];
      const status = { uri: this.lists.addressOf(list_id), idx };
      const copy = { issuer: this.name, vct: IDENTITY_VCT, claims, disclosable, holderKey, status };
      copies.push(await issueCredential({ ...copy, issuedAtS, expiresAtS }, signer));
    }
    this.issued.inc({}, copies.length);
    return copies;
  }
}
