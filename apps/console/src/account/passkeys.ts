import { createPasskey, type PasskeyCreation, type PasskeyRequest, signWithPasskey } from '@constancia/web/passkeys';
import { callConsole, callHost, type SignInAnswer } from '../api/console-host.ts';

/** Signs in with a passkey that the browser offers for this host. @throws CeremonyFailed, ApiError, Unreachable */
export async function signInWithPasskey(): Promise<SignInAnswer> {
  const response = await signWithPasskey(await callConsole<PasskeyRequest>('POST', '/passkey/options'));
  return callConsole<SignInAnswer>('POST', '/passkey', response);
}

/** @throws CeremonyFailed, ApiError, Unreachable */
export async function registerPasskey(name: string): Promise<void> {
  const credential = await createPasskey(await callHost<PasskeyCreation>('POST', '/console/passkeys/options'));
  await callHost('POST', '/console/passkeys', { name, credential });
}
