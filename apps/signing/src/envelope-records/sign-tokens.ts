import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { logoPath } from '@constancia/contracts';
import { SecretBox } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import type { SignerRow } from './envelope-rows.ts';

const TOKEN_BYTES = 32;

/** What a signer's row keeps of a new token, and the token itself. */
export interface IssuedToken {
  /** 43 characters of base64url. */
  token: string;
  /** SHA-256 of the token. */
  hash: Buffer;
  sealed: Buffer;
}

/** The links of the signers' host. Tokens are looked up by their SHA-256, and kept sealed so that later mails name the same link. */
@Injectable()
export class SignTokens {
  private readonly signUrl: string;

  constructor(
    private readonly box: SecretBox,
    config: SigningConfig,
  ) {
    this.signUrl = config.signUrl.replace(/\/+$/, '');
  }

  /** A new token for a signer (UUID). */
  issue(signerId: string): IssuedToken {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    return { token, hash: hashSecret(token), sealed: this.box.seal(token, signTokenContext(signerId)) };
  }

  /** The token of a signer's row. Throws when the sealed value is another signer's. */
  open(signer: Pick<SignerRow, 'id' | 'token_sealed'>): string {
    return this.box.open(signer.token_sealed, signTokenContext(signer.id)).toString();
  }

  /** The link that a signer gets. */
  urlOf(token: string): string {
    return `${this.signUrl}/${token}`;
  }

  /** The logo with this SHA-256, on the host of the signing pages. */
  logoUrlOf(sha256: string): string {
    return `${this.signUrl}${logoPath(sha256)}`;
  }

  /** The public page that verifies an envelope. */
  verifyUrlOf(publicId: string): string {
    return `${this.signUrl}/verify/${publicId}`;
  }
}

/** Bound to the signer: a sealed token that is copied into another row does not open there. */
export function signTokenContext(signerId: string): string {
  return `sign_token:${signerId}`;
}
