import {
  WALLET_PASSKEY_ROUTES,
  WALLET_ROUTES,
  WALLET_SESSION_SECONDS,
  type WalletChallenge,
  type WalletCredentialFacts,
  type WalletCredentialOffer,
  type WalletErasure,
  type WalletExport,
  type WalletPasskeyFacts,
  type WalletReceipt,
  type WalletSignIn,
} from '@constancia/contracts/wallet';
import { sendJson } from '@constancia/web';
import { createPasskey, type PasskeyCreation, type PasskeyRequest, signWithPasskey } from '@constancia/web/passkeys';
import { failureOf } from './capture-api.ts';

/**
 * A person who is signed in to their wallet. The token is in the memory of this object alone: a page that is loaded again has none. Each
 * call rejects with Refused or Unreachable.
 */
export class SignedIn {
  constructor(
    private readonly token: string,
    /** By the clock of this device, milliseconds since 1970. */
    readonly endsAt: number,
  ) {}

  export(): Promise<WalletExport> {
    return this.call('GET', WALLET_ROUTES.export);
  }

  async setDiscoverable(enabled: boolean): Promise<boolean> {
    return (await this.call<{ enabled: boolean }>('PUT', WALLET_ROUTES.discoverable, { enabled })).enabled;
  }

  /** @param id of a receipt of kind share */
  withdraw(id: string): Promise<WalletReceipt> {
    return this.call('POST', WALLET_ROUTES.revokeConsent.replace('{id}', id), {});
  }

  async passkeys(): Promise<WalletPasskeyFacts[]> {
    return (await this.call<{ data: WalletPasskeyFacts[] }>('GET', WALLET_PASSKEY_ROUTES.passkeys)).data;
  }

  /** Rejects also with CeremonyFailed. */
  async addPasskey(name: string): Promise<void> {
    const options = await this.call<PasskeyCreation>('POST', WALLET_PASSKEY_ROUTES.registration, {});
    await this.call('POST', WALLET_PASSKEY_ROUTES.passkeys, { name, credential: await createPasskey(options) });
  }

  removePasskey(id: string): Promise<void> {
    return this.call('DELETE', `${WALLET_PASSKEY_ROUTES.passkeys}/${id}`);
  }

  /** Of somebody who is recovering the wallet. */
  cancelRecovery(): Promise<void> {
    return this.call('DELETE', WALLET_ROUTES.recovery);
  }

  /** For a wallet app. It takes the place of the one before. */
  offerCredential(): Promise<WalletCredentialOffer> {
    return this.call('POST', WALLET_ROUTES.offers, {});
  }

  /** The newest ones, newest first. */
  async credentials(): Promise<WalletCredentialFacts[]> {
    return (await this.call<{ data: WalletCredentialFacts[] }>('GET', WALLET_ROUTES.credentials)).data;
  }

  /** All of its copies, for good. */
  revokeCredential(id: string): Promise<void> {
    return this.call('DELETE', `${WALLET_ROUTES.credentials}/${id}`);
  }

  erase(): Promise<WalletErasure> {
    return this.call('DELETE', WALLET_ROUTES.wallet);
  }

  /** Signs out, also while the page is being left. */
  end(): Promise<void> {
    return this.call('DELETE', WALLET_ROUTES.session, undefined, true);
  }

  private async call<Answer>(method: string, route: string, body?: object, keepalive?: boolean): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.token}` };
    return (await sendJson<Answer>(route, { method, body, headers, keepalive, errorOf: failureOf })).answer;
  }
}

/** Asks for a code. @returns the challenge that `signIn` takes @throws Refused, Unreachable */
export async function requestCode(identifier: string): Promise<string> {
  const request = { method: 'POST', body: { identifier }, errorOf: failureOf };
  return (await sendJson<WalletChallenge>(WALLET_ROUTES.start, request)).answer.challenge_id;
}

/** @throws Refused (401: the code is wrong, 429: wait), Unreachable */
export async function signIn(challenge_id: string, code: string): Promise<SignedIn> {
  return openSession(WALLET_ROUTES.verify, { challenge_id, code });
}

/** @throws CeremonyFailed, Refused (401: the passkey was not accepted), Unreachable */
export async function signInWithPasskey(): Promise<SignedIn> {
  const request = { method: 'POST', body: {}, errorOf: failureOf };
  const { answer } = await sendJson<PasskeyRequest>(WALLET_PASSKEY_ROUTES.challenge, request);
  return openSession(WALLET_PASSKEY_ROUTES.signIn, await signWithPasskey(answer));
}

async function openSession(route: string, body: object): Promise<SignedIn> {
  const { answer, serverTime } = await sendJson<WalletSignIn>(route, { method: 'POST', body, errorOf: failureOf });
  // The clock of the device may be wrong.
  const leftMs = serverTime === null ? WALLET_SESSION_SECONDS * 1_000 : Date.parse(answer.expires_at) - serverTime;
  return new SignedIn(answer.wallet_session_jwt, Date.now() + leftMs);
}
