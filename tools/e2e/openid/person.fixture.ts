import type { KeepState } from '@constancia/contracts';
import { sleep } from '@constancia/kernel';
import { eventually, type TestStack } from '@constancia/testing';
import { SANDBOX_TRIGGERS } from '../../../apps/platform/src/identity/sessions/sandbox-triggers.ts';
import type { Integrator } from '../deployment.fixture.ts';
import { someAddress } from './person-browser.fixture.ts';

/** What each step is given where a sandbox trigger decides. */
const INPUTS: Record<string, object> = {
  consent: { accepted: true },
  document_upload: { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' },
  face_match: { selfie_uri: 'asset://sandbox/selfie', liveness_mode: 'basic' },
  sarlaft: {},
};

interface Session {
  id: string;
  current_step: string | null;
  capture_url: string;
}

/** What is answered to a step that is to be sent again, or while it is under way. */
const AGAIN = [409, 422, 503];
const MOST_SENT = 100;
const PAUSE_MS = 250;

/**
 * Verifies a person, who keeps the verification under an address: they have a wallet from then on. Persons are told apart by the document of
 * their trigger, whose session must complete.
 */
export async function personWithWallet(
  stack: TestStack,
  integrator: Pick<Integrator, 'platform' | 'apiKey'>,
  email: string,
  trigger = 'approve',
): Promise<void> {
  await integrator.platform.POST('/v1/flows/seed-default');
  const document_number = SANDBOX_TRIGGERS.find(({ name }) => name === trigger)?.documentNumber as string;
  const body = { document_type: 'CC', document_number, country: 'CO', hosted: true } as const;
  const opened = await integrator.platform.POST('/v1/flows/sessions', { body });
  const session = opened.data as unknown as Session;
  let step = session.current_step;
  for (let sent = 1; step !== null; sent++) {
    const answer = await fetch(`${stack.baseUrl}/v1/flows/sessions/${session.id}/advance`, {
      method: 'POST',
      headers: { 'x-api-key': integrator.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ input: INPUTS[step] }),
    });
    if (AGAIN.includes(answer.status) && sent < MOST_SENT) {
      await sleep(PAUSE_MS);
      continue;
    }
    if (!answer.ok) throw new Error(`${step} answered ${answer.status}: ${await answer.text()}`);
    step = ((await answer.json()) as Session).current_step;
  }
  await keep(stack, session.capture_url.slice(session.capture_url.indexOf('#') + 1), email);
}

async function keep(stack: TestStack, token: string, email: string): Promise<void> {
  const call = async (path: string, body?: object): Promise<KeepState> => {
    const answer = await fetch(`${stack.personUrl}/capture/wallet${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...someAddress(),
        ...{ authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`keeping answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as KeepState;
  };
  const { consent } = await call('');
  const { version, locale, sha256 } = consent;
  await call('', { accepted: true, email, version, locale, sha256 });
  const mail = await eventually(() => {
    const [newest] = stack.mailbox.messages(email);
    if (newest === undefined) throw new Error('no mail yet');
    return newest;
  }, 20_000);
  await call('/confirm', { code: /^(\d{6})\r?$/m.exec(mail.text)?.[1] as string });
  await eventually(() => {
    if (stack.mailbox.messages(email).length < 2) throw new Error('no mail yet that it is kept');
  }, 20_000);
}
