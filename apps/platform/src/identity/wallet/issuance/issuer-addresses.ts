import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { CredentialIssuer } from '../credentials/credential-issuer.ts';

/** The name of our credential in OpenID4VCI. */
export const IDENTITY_CONFIGURATION = 'identity';
export const PRE_AUTHORIZED_GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** Where OpenID4VCI finds what. */
@Injectable()
export class IssuerAddresses {
  private readonly api: string;
  /** The credential issuer's identifier. */
  readonly issuer: string;

  constructor(config: PlatformConfig, issuer: CredentialIssuer) {
    this.api = config.apiUrl;
    this.issuer = issuer.name;
  }

  /** The server that exchanges the codes of offers: one of its own, beside the OpenID provider of relying parties. */
  get authorizationServer(): string {
    return `${this.api}/v1/wallet/issuance`;
  }

  get token(): string {
    return `${this.authorizationServer}/token`;
  }

  get nonce(): string {
    return `${this.issuer}/nonce`;
  }

  get credential(): string {
    return `${this.issuer}/credential`;
  }

  offer(token: string): string {
    return `${this.authorizationServer}/offers/${token}`;
  }
}
