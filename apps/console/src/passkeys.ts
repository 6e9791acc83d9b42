import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { callConsole, callHost, type SignInAnswer } from './session.ts';

export type PasskeyFailure = 'cancelled' | 'unsupported' | 'known';

/** The browser or the person ended the ceremony: nothing was sent. */
export class CeremonyFailed extends Error {
  constructor(readonly reason: PasskeyFailure) {
    super(reason);
  }
}

/** Signs in with a passkey that the browser offers for this host. @throws CeremonyFailed, ApiError, Unreachable */
export async function signInWithPasskey(): Promise<SignInAnswer> {
  const optionsJSON = await callConsole<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    'POST',
    '/passkey/options',
  );
  const response = await startAuthentication({ optionsJSON }).catch(failed);
  return callConsole<SignInAnswer>('POST', '/passkey', response);
}

/** @throws CeremonyFailed, ApiError, Unreachable */
export async function registerPasskey(name: string): Promise<void> {
  const optionsJSON = await callHost<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'POST',
    '/console/passkeys/options',
  );
  const credential = await startRegistration({ optionsJSON }).catch(failed);
  await callHost('POST', '/console/passkeys', { name, credential });
}

function failed(error: unknown): never {
  const { name } = error as { name?: unknown };
  if (name === 'NotAllowedError' || name === 'AbortError') throw new CeremonyFailed('cancelled');
  if (name === 'InvalidStateError') throw new CeremonyFailed('known');
  throw new CeremonyFailed('unsupported');
}
