import type { Journal } from '../../oracle/journal.ts';
import type { Asking, Customer } from './asking.ts';

/** Asks for one signature. */
export async function signature(asking: Asking, signingUrl: string, customer: Customer): Promise<void> {
  const ref = asking.nextRef();
  await asking.create('signature', customer, ref, {
    url: `${signingUrl}/v1/signatures`,
    body: { template_id: customer.templateId, subject_ref: ref, merge_data: { name: 'María Peña', city: 'Bogotá' } },
  });
}

interface Sent {
  id: string;
  signers: { id: string; sign_token: string }[];
}

const CODE = 'clave-1234';
export const ROLES = ['comprador', 'vendedor'] as const;

/** Sends one envelope to two signers, who both sign it. */
export async function envelope(
  asking: Asking,
  journal: Journal,
  signingUrl: string,
  customer: Customer,
): Promise<void> {
  const ref = asking.nextRef();
  const signers = ROLES.map((role) => ({ role, email: `${role}@${ref}.example`, access_code: CODE }));
  const sent = (await asking.create('envelope', customer, ref, {
    url: `${signingUrl}/v1/envelopes`,
    body: { circuit_id: customer.circuitId, signers, subject: ref, notify: false },
  })) as unknown as Sent | null;
  await Promise.all((sent?.signers ?? []).map((signer) => sign(asking, journal, signingUrl, signer)));
}

interface Shown {
  next?: 'wait' | 'consent' | 'otp' | 'access_code' | 'sign' | 'done';
  consent?: { version: string; locale: string };
}

/** A signer's way; after every answer that leaves a doubt the page is opened again, as a person would. */
async function sign(
  asking: Asking,
  journal: Journal,
  signingUrl: string,
  { id, sign_token }: { id: string; sign_token: string },
): Promise<void> {
  const home = `${signingUrl}/v1/sign/${sign_token}`;
  let headers: Record<string, string> = {}; // with the proof of authentication, once there is one
  const step = (path: string, body: unknown) => asking.once({ url: `${home}${path}`, headers, body });
  for (;;) {
    const shown = await asking.persistently({ url: home, method: 'GET', headers });
    if (!shown) return; // given up; the envelope stays open
    const { next, consent } = shown.body as Shown;
    if (next === 'done') return void journal.statements.push({ kind: 'signer signed', id, status: 'signed' });
    if (next === 'consent') await step('/consent', { accepted: true, ...only(consent) });
    else if (next === 'access_code') {
      const { proof } = (await step('/access-code', { code: CODE })).body as { proof?: { token: string } };
      if (proof) headers = { 'X-Sign-Proof': proof.token };
    } else if (next === 'sign')
      await step('/sign', { signature: { type: 'typed', text: 'María Peña' }, fields: {}, intent: true });
    else return void journal.surprises.push(`a signer is shown ${JSON.stringify(shown)}`.slice(0, 400));
  }
}

const only = (consent: Shown['consent']) => ({ locale: consent?.locale, version: consent?.version });
