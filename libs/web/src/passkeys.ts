import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

export type PasskeyFailure = 'cancelled' | 'unsupported' | 'known';

/** The browser or the person ended the ceremony: nothing was sent. */
export class CeremonyFailed extends Error {
  constructor(readonly reason: PasskeyFailure) {
    super(reason);
  }
}

export type PasskeyCreation = Parameters<typeof startRegistration>[0]['optionsJSON'];
export type PasskeyRequest = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Makes a passkey for this host. Rejects with CeremonyFailed. */
export const createPasskey = (optionsJSON: PasskeyCreation) => startRegistration({ optionsJSON }).catch(failed);

/** Signs with a passkey that the browser offers for this host. Rejects with CeremonyFailed. */
export const signWithPasskey = (optionsJSON: PasskeyRequest) => startAuthentication({ optionsJSON }).catch(failed);

function failed(error: unknown): never {
  const { name } = error as { name?: unknown };
  if (name === 'NotAllowedError' || name === 'AbortError') throw new CeremonyFailed('cancelled');
  if (name === 'InvalidStateError') throw new CeremonyFailed('known');
  throw new CeremonyFailed('unsupported');
}
