import { es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import type { Es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import { issueCredential } from './issue-credential.ts';
import type { CredentialToIssue } from './issue-credential.ts';
import { presentCredential } from './present-credential.ts';
import type { PresentationToMake } from './present-credential.ts';
import { verifyPresentation } from './verify-presentation.ts';
import type { ExpectedPresentation } from './verify-presentation.ts';

export const NOW = 1_800_000_000;
export const ISSUER = 'https://wallet.example';
export const VCT = 'https://wallet.example/credentials/identity/1';
export const VERIFIER = 'https://bank.example';
export const NONCE = 'n-0S6_WzA2Mj';

/** An invented person: nine claims that the holder may keep back, some inside of others. */
export const CLAIMS = {
  given_name: 'María Fernanda',
  family_name: 'Peña',
  birthdate: '1990-02-28',
  nationalities: ['CO', 'ES'],
  document: { type: 'CC', number: '1032456789', country: 'CO' },
  kyc_level: 'substantial',
};

export const DISCLOSABLE = [
  ['given_name'],
  ['family_name'],
  ['birthdate'],
  ['nationalities', 0],
  ['nationalities', 1],
  ['document'],
  ['document', 'type'],
  ['document', 'number'],
  ['document', 'country'],
];

/** An issuer, a holder and what they do in tests. */
export class Parties {
  readonly issuer: Es256Keys = es256Keys();
  readonly holder: Es256Keys = es256Keys();

  issue(changes: Partial<CredentialToIssue> = {}): Promise<string> {
    const { kty, crv, x, y } = this.holder.jwk;
    const credential: CredentialToIssue = {
      issuer: ISSUER,
      vct: VCT,
      claims: CLAIMS,
      disclosable: DISCLOSABLE,
      holderKey: { kty, crv, x, y },
      issuedAtS: NOW - 86_400,
      expiresAtS: NOW + 86_400,
      ...changes,
    };
    return issueCredential(credential, this.issuer.signer);
  }

  present(credential: string, changes: Partial<PresentationToMake> = {}): Promise<string> {
    const presentation = { reveal: [['family_name']], audience: VERIFIER, nonce: NONCE, nowS: NOW, ...changes };
    return presentCredential(credential, presentation, this.holder.signer);
  }

  expected(changes: Partial<ExpectedPresentation> = {}): ExpectedPresentation {
    return {
      vct: [VCT],
      findIssuerKey: ({ payload }) => (payload.iss === ISSUER ? this.issuer.publicKey : null),
      audience: VERIFIER,
      nonce: NONCE,
      nowS: NOW,
      status: () => Promise.resolve(0),
      ...changes,
    };
  }

  /** Why a presentation is refused, or "accepted". */
  async reasonFor(presentation: string, changes: Partial<ExpectedPresentation> = {}): Promise<string> {
    try {
      await verifyPresentation(presentation, this.expected(changes));
      return 'accepted';
    } catch (error) {
      return (error as { reason?: string }).reason ?? String(error);
    }
  }
}
