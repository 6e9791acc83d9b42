import type { PersonPrincipal } from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import { checkTimes, type JwtSigner, nowInSeconds, TokenRefused, verifyJwt } from '@constancia/signed-jwt';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { TokenKeys } from '../../token-keys/token-keys.ts';
import type { WalletSignInMethod } from './wallet-session.entity.ts';

const TYP = 'wallet-session+jwt';
const AUDIENCE = 'wallet';
const KEY_SET = 'wallet_session';
const MAX_BYTES = 2_048;
/** RFC 8176: a one-time code; possession of a key, and the person verified by their device. */
const AMR: Record<WalletSignInMethod, string[]> = { code: ['otp'], passkey: ['pop', 'user'] };

/** A session whose token is issued. Ids are UUIDs. */
interface Issued {
  walletId: string;
  sessionId: string;
  method: WalletSignInMethod;
  expiresAt: Date;
}

/** The tokens of wallet sessions: JWTs of a class, an issuer, an audience and a key set of their own. */
@Injectable()
export class WalletTokens {
  private readonly issuer: string;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly keys: TokenKeys,
  ) {
    this.issuer = `${config.apiUrl}/wallet`;
  }

  /** Throws DependencyUnavailable while KMS cannot be reached: ask for it before a code is used up. */
  signer(): Promise<JwtSigner> {
    return this.keys.signer(KEY_SET);
  }

  issue(sign: JwtSigner, { walletId, sessionId, method, expiresAt }: Issued): Promise<string> {
    return sign(TYP, {
      iss: this.issuer,
      aud: AUDIENCE,
      sub: typeId('wlt', walletId),
      sid: typeId('wss', sessionId),
      amr: AMR[method],
      iat: nowInSeconds(),
      exp: Math.floor(expiresAt.getTime() / 1_000),
    });
  }

  /** Who is signed in with a token; null when it is no token of a wallet session, or the session has ended. */
  async find(token: string): Promise<PersonPrincipal | null> {
    const person = await this.personOf(token).catch((error: unknown) => {
      if (error instanceof TokenRefused) return null;
      throw error;
    });
    if (person === null) return null;
    const [row] = await this.database.query<{ open: boolean }>(
      'select identity.wallet_session_is_open($1, $2) as open',
      [...[person.sessionId, person.walletId]],
    );
    return row?.open ? person : null;
  }

  private async personOf(token: string): Promise<PersonPrincipal | null> {
    const { payload } = await verifyJwt(token, { typ: TYP, findKey: this.keys.finder(KEY_SET), maxBytes: MAX_BYTES });
    checkTimes(payload, nowInSeconds());
    const { iss, aud, sub, sid, exp } = payload;
    if (iss !== this.issuer || aud !== AUDIENCE || typeof exp !== 'number') return null;
    const walletId = typeof sub === 'string' ? uuidOf('wlt', sub) : null;
    const sessionId = typeof sid === 'string' ? uuidOf('wss', sid) : null;
    return walletId === null || sessionId === null ? null : { kind: 'person', walletId, sessionId };
  }
}
