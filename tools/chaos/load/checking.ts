import { sleep } from '@constancia/kernel';
import type { Journal } from '../../oracle/journal.ts';
import type { Random } from '../random.ts';
import type { Asking, Customer } from './asking.ts';

const INNOCENT = { full_name: 'Xiomara Zoraida Quiñones', birth_date: '1988-03-14', country_code: 'CO' };
/** On the fictional list that a sandbox begins with: opens a case. */
const LISTED = { full_name: 'Ernesto Fictisio Ejemplo', birth_date: '1962-04-17', country_code: 'CO' };

/** Screens one person; one in five is on a list. */
export async function screening(
  asking: Asking,
  complianceUrl: string,
  customer: Customer,
  random: Random,
): Promise<void> {
  const ref = asking.nextRef();
  await asking.create('screening', customer, ref, {
    url: `${complianceUrl}/v1/screenings`,
    body: { subject_ref: ref, subject_type: 'natural', payload: random.next() < 0.2 ? LISTED : INNOCENT },
  });
}

/** Cédulas whose sessions end as documented, without a picture (docs/guides/identity.md): approve, review, reject, retry, engine_error. */
const TRIGGERS = ['1999000001', '1999000002', '1999000003', '1999000004', '1999000005'];

/** How a subject's pictures get there; answers the inputs of the steps that need them. */
export type Pictures = (session: { subjectId: string; token: string }) => Promise<StepInputs>;
type StepInputs = Record<'document_upload' | 'face_match', object>;

const NO_PICTURES: StepInputs = {
  document_upload: { doc_front_uri: 'asset://sandbox/front', doc_back_uri: 'asset://sandbox/back' },
  face_match: { selfie_uri: 'asset://sandbox/selfie', liveness_mode: 'basic' },
};

/** For all steps of a session: longer than any fault lasts. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 250;

interface Session {
  id: string;
  subject_id: string;
  session_token: string;
  status: string;
  current_step: string | null;
}

/** One subject's way through the default flow, to its end. `real`: the pictures of a person, instead of a trigger. */
export async function onboarding(
  asking: Asking,
  journal: Journal,
  baseUrl: string,
  customer: Customer,
  random: Random,
  real?: { documentNumber: string; pictures: Pictures },
): Promise<void> {
  const ref = asking.nextRef();
  const document_number = real?.documentNumber ?? random.pick(TRIGGERS);
  const opened = (await asking.create('session', customer, ref, {
    url: `${baseUrl}/v1/flows/sessions`,
    body: { external_ref: ref, document_type: 'CC', document_number, country: 'CO' },
  })) as unknown as Session | null;
  if (!opened) return;
  const inputs = (await real?.pictures({ subjectId: opened.subject_id, token: opened.session_token })) ?? NO_PICTURES;
  const url = `${baseUrl}/v1/flows/sessions/${opened.id}`;
  const bearer = { Authorization: `Bearer ${opened.session_token}` };
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const shown = await asking.persistently({ url, method: 'GET', headers: bearer });
    if (!shown) return;
    const { current_step, status } = shown.body as unknown as Session;
    if (current_step === null) return void journal.statements.push({ kind: 'session ended', id: opened.id, status });
    const input = stepInput(current_step, inputs);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const request = { url: `${url}/advance`, headers: { ...bearer, ...key }, body: { input }, timeoutMs: 30_000 };
    const answer = await asking.once(request);
    if (answer.status === null) await asking.once(request); // the same key: one effect
    if (answer.status === 503) await sleep(PAUSE_MS);
  }
  journal.surprises.push(`session ${opened.id} does not end`);
}

function stepInput(step: string, inputs: StepInputs): object {
  if (step === 'consent') return { accepted: true, locale: 'es-CO' };
  return step === 'document_upload' || step === 'face_match' ? inputs[step] : {};
}
