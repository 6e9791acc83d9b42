import {
  type WalletRecoveryChallenge,
  type WalletRecoveryFacts,
  WALLET_RECOVERY_ROUTES,
  type WalletRecoveryStart,
  type WalletRecoveryVerified,
} from '@constancia/contracts/wallet-recovery';
import { fetchWithTimeout, type Refusal, refusalIn, sendJson } from '@constancia/web';
import { createPasskey, type PasskeyCreation } from '@constancia/web/passkeys';
import { failureOf } from './capture-api.ts';

/** A passkey with the name that the person gave it. */
export interface MadePasskey {
  name: string;
  credential: object;
}

/** Why a recovery does not go on. `busy`: its face is being compared; the others ended it. */
const REASONS = ['no_face', 'another', 'wrong_codes', 'busy'] as const;
type Reason = (typeof REASONS)[number];

/** The recovery does not go on by what was sent. */
export class CannotRecover extends Error {
  constructor(readonly reason: Reason) {
    super(reason);
  }
}

/** Asks for a code. @returns the id of the recovery @throws Refused, Unreachable */
export async function startRecovery(identifier: string): Promise<string> {
  return (await post<WalletRecoveryStart>(WALLET_RECOVERY_ROUTES.start, { identifier })).recovery_id;
}

/** @throws Refused (422: the code is wrong, 409: the recovery has ended), CannotRecover, Unreachable */
export async function verifyRecovery(recovery_id: string, code: string): Promise<ProvenRecovery> {
  const { upload_url } = await post<WalletRecoveryVerified>(WALLET_RECOVERY_ROUTES.verify, { recovery_id, code });
  return new ProvenRecovery(recovery_id, new URL(upload_url).pathname);
}

/** Ends the one whose notice has this token. @throws Refused (404: it is over), Unreachable */
export async function cancelRecovery(token: string): Promise<void> {
  await post(WALLET_RECOVERY_ROUTES.cancel.replace('{cancel_token}', token), {});
}

/** A recovery whose contact is proven. Its address is in the memory of this object alone. */
export class ProvenRecovery {
  constructor(
    private readonly id: string,
    private readonly evidence: string,
  ) {}

  /** Rejects also with CeremonyFailed. */
  async createPasskey(): Promise<object> {
    return createPasskey(await post<PasskeyCreation>(`${this.evidence}${WALLET_RECOVERY_ROUTES.passkey}`, {}));
  }

  challenge(): Promise<WalletRecoveryChallenge> {
    return post(`${this.evidence}${WALLET_RECOVERY_ROUTES.challenge}`, {});
  }

  /** @returns what complete names it by */
  async sendPicture(picture: Blob): Promise<string> {
    const headers = { 'Content-Type': picture.type };
    const response = await fetchWithTimeout(this.evidence, { method: 'PUT', headers, body: picture });
    if (!response.ok) throw failureOf(await refusalIn(response));
    return ((await response.json()) as { stored_uri: string }).stored_uri;
  }

  complete(evidence: {
    selfie_uri: string;
    challenge_id: string;
    frame_uris: string[];
    passkey?: MadePasskey;
  }): Promise<WalletRecoveryFacts> {
    return post(WALLET_RECOVERY_ROUTES.complete, { recovery_id: this.id, ...evidence });
  }
}

async function post<Answer>(route: string, body: object): Promise<Answer> {
  return (await sendJson<Answer>(route, { method: 'POST', body, errorOf: failureIn })).answer;
}

function failureIn(refusal: Refusal): Error {
  const { reason } = refusal.document as { reason?: unknown };
  const known = REASONS.find((each) => each === reason);
  return known === undefined ? failureOf(refusal) : new CannotRecover(known);
}
