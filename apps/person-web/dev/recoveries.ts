import { type WalletRecoveryFacts, WALLET_RECOVERY_ROUTES } from '@constancia/contracts/wallet-recovery';
import { type Answer, CREATION, WALLET_CODE } from './wallets.ts';

const EVIDENCE = '/v1/wallet/recovery-evidence/token';
const ID = 'wrc_01m7z6fvqcergtyhm27t5fxcy0';
/** Of the notice that the stand-in server does not send. */
export const CANCEL_TOKEN = 'c'.repeat(43);

const CONFLICT: Answer = { status: 409, document: { status: 409 } };

/** The one recovery of the stand-in server. What cameras and authenticators send is not looked at. */
export class Recoveries {
  /** How the next comparisons of the face end, in their order; then cooling. */
  outcomes: Partial<WalletRecoveryFacts>[] = [];
  wrongCodes = 0;
  pictures = 0;
  /** Passkeys that came with completions. */
  passkeys: string[] = [];
  cooling = false;

  /** Undefined: no route of recoveries. */
  answer(method: string, pathname: string, body: Buffer, url: string): Answer | undefined {
    if (pathname === EVIDENCE && method === 'PUT') {
      this.pictures += 1;
      return { status: 201, document: { stored_uri: `asset://picture-${this.pictures}` } };
    }
    const { start, verify, complete, cancel, challenge, passkey } = WALLET_RECOVERY_ROUTES;
    if (pathname === start) {
      this.wrongCodes = 0;
      return { status: 202, document: { recovery_id: ID, expires_at: inMinutes(30) } };
    }
    if (pathname === verify) return this.verify(JSON.parse(body.toString()) as { code: string }, url);
    if (pathname === `${EVIDENCE}${challenge}`) {
      const poses = ['center', 'left'];
      return {
        status: 201,
        document: { challenge_id: 'lch_1', poses, issued_at: inMinutes(0), expires_at: inMinutes(1) },
      };
    }
    if (pathname === `${EVIDENCE}${passkey}`) return { status: 200, document: CREATION };
    if (pathname === complete) return this.complete(JSON.parse(body.toString()) as { passkey?: { name: string } });
    if (pathname === cancel.replace('{cancel_token}', CANCEL_TOKEN)) {
      const done = this.cooling;
      this.cooling = false;
      return done ? { status: 200, document: {} } : { status: 404, document: { status: 404 } };
    }
    return undefined;
  }

  private verify({ code }: { code: string }, url: string): Answer {
    if (this.wrongCodes >= 3) return CONFLICT;
    if (code === WALLET_CODE)
      return {
        status: 200,
        document: { state: 'needs_liveness', upload_url: `${url}${EVIDENCE}`, expires_at: inMinutes(30) },
      };
    this.wrongCodes += 1;
    return { status: 422, document: { status: 422 } };
  }

  private complete({ passkey }: { passkey?: { name: string } }): Answer {
    if (passkey !== undefined) this.passkeys.push(passkey.name);
    const next = this.outcomes.shift() ?? { state: 'cooling', effective_at: inMinutes(24 * 60) };
    this.cooling = next.state === 'cooling';
    const facts = { recovery_id: ID, reason: null, checks_left: 2, expires_at: inMinutes(30), effective_at: null };
    return { status: 200, document: { ...facts, ...next } };
  }
}

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
