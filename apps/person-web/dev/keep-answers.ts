import type { KeepState } from '@constancia/contracts/wallet';
import type { CaptureFixture } from './capture-session.ts';

/** The code that the stand-in server takes. */
export const KEEP_CODE = '123456';

const TEXT =
  'Autorizo a guardar en una billetera mía mi nombre, mi fecha de nacimiento y mi documento. Puedo ver, descargar y borrar lo guardado cuando quiera.';

/** `body`: of a request; empty for the state. */
export function answerKeep(
  session: CaptureFixture,
  route: string,
  body: string,
): { status: number; document: unknown } {
  if (body === '') return { status: 200, document: stateOf(session) };
  const given = JSON.parse(body) as { email?: string; code?: string };
  if (route === 'wallet') session.keep = { email: given.email ?? null, confirmed: false };
  else if (given.code === KEEP_CODE) session.keep.confirmed = true;
  else return { status: 422, document: { status: 422 } };
  return { status: route === 'wallet' ? 202 : 200, document: stateOf(session) };
}

function stateOf({ keep, locale }: CaptureFixture): KeepState {
  return {
    state: keep.confirmed ? 'confirmed' : keep.email === null ? 'offered' : 'code_sent',
    consent: { version: '1', locale, text: TEXT, sha256: '0'.repeat(64) },
    email: keep.email === null ? null : 'a***@c***.co',
  };
}
