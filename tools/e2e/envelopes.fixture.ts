import type { TestStack } from '@constancia/testing';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { type Hosts, httpOf, type Integrator } from './deployment.fixture.ts';
import { CODE, codeIn, type Mail } from '../web/mailbox-reader.ts';

/** A signer as the circuits here define it. */
export interface Part {
  role: string;
  order: number;
  auth?: ('otp_email' | 'otp_sms' | 'otp_whatsapp' | 'access_code' | 'identity')[];
}

export interface Person {
  role: string;
  email: string;
  name?: string;
  /** E.164. */
  phone?: string;
  access_code?: string;
}

export interface SentSigner {
  id: string;
  role: string;
  email: string;
  order: number;
  status: string;
  sign_token: string;
  sign_url: string;
}

export interface SentEnvelope {
  id: string;
  status: string;
  credits_debited: number;
  signers: SentSigner[];
}

export interface Envelope {
  id: string;
  status: string;
  failure_code?: string | null;
  credits_refunded?: number;
  document_sha256?: string | null;
}

export interface SignerState {
  envelope: { id: string; status: string };
  signer: { role: string; status: string };
  fields: { key: string; type: string; required: boolean }[];
  consent: { version: string; locale: 'es-CO' | 'en' };
  /** After a code. */
  proof?: { token: string };
  next: 'wait' | 'consent' | 'otp' | 'access_code' | 'identity' | 'sign' | 'done';
}

/** One call of the signing host; throws, with what was answered, for any other status than the expected one. */
export async function call<Body>(
  stack: Omit<Hosts, 'cluster'>,
  route: string,
  options: {
    key?: string;
    method?: string;
    body?: unknown;
    pdf?: Buffer;
    expect: number;
    idempotencyKey?: string;
    proof?: string | undefined;
  },
): Promise<Body> {
  const { key, body, pdf, expect } = options;
  const response = await httpOf(stack)(`${stack.signingUrl}${route}`, {
    method: options.method ?? (body === undefined && pdf === undefined ? 'GET' : 'POST'),
    headers: {
      ...(key !== undefined && { 'X-API-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(pdf !== undefined && { 'Content-Type': 'application/pdf' }),
      ...(options.proof !== undefined && { 'X-Sign-Proof': options.proof }),
      ...(options.idempotencyKey !== undefined && { 'Idempotency-Key': options.idempotencyKey }),
    },
    body: pdf !== undefined ? new Uint8Array(pdf) : body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== expect)
    throw new Error(`${route.split('/').slice(0, 3).join('/')}… answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** A contract of some pages with lines of text, and room for boxes below. */
export async function longContract(pages: number): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = pdf.addPage([595, 842]);
    page.drawText('Contrato de arrendamiento', { x: 60, y: 770, size: 18, font });
    for (let line = 0; line < 22; line++) {
      const clause = `${number}.${line + 1} Las partes acuerdan lo que sigue, que leen, entienden y aceptan cumplir.`;
      page.drawText(clause, { x: 60, y: 735 - line * 18, size: 10, font });
    }
  }
  return Buffer.from(await pdf.save());
}

const BOX_COLUMN = 180;

/** A published circuit: every part has a signature and a name on the last page; `full` adds a text, a date, initials and a checkbox. */
export async function publishedCircuit(
  stack: Omit<Hosts, 'cluster'>,
  { apiKey: key }: Integrator,
  { parts, pages = 1, full = false }: { parts: Part[]; pages?: number; full?: boolean },
): Promise<string> {
  const body = { code: `c-${crypto.randomUUID().slice(0, 13)}`, name: 'Contrato de arrendamiento' };
  const { id } = await call<{ id: string }>(stack, '/v1/circuits', { key, body, expect: 201 });
  await call(stack, `/v1/circuits/${id}/base-pdf`, { key, pdf: await longContract(pages), expect: 200 });
  const fields = parts.flatMap(({ role }, index) => {
    const at = { signer: role, page: pages, x: 40 + index * BOX_COLUMN, width: 150 };
    const basic = [
      { ...at, key: `${role}_signature`, type: 'signature', y: 250, height: 40 },
      { ...at, key: `${role}_name`, type: 'name', y: 225, height: 16 },
    ];
    if (!full) return basic;
    return [
      ...basic,
      { ...at, key: `${role}_city`, type: 'text', y: 200, height: 16, label: 'Ciudad' },
      { ...at, key: `${role}_date`, type: 'date', y: 175, height: 16 },
      { ...at, key: `${role}_initials`, type: 'initials', y: 140, width: 60, height: 30 },
      {
        ...at,
        key: `${role}_agrees`,
        type: 'checkbox',
        y: 115,
        width: 14,
        height: 14,
        label: 'Recibí copia del contrato',
      },
    ];
  });
  const signers = parts.map(({ role, order, auth = ['otp_email'] }) => ({ role, order, auth }));
  await call(stack, `/v1/circuits/${id}/definition`, { key, method: 'PUT', body: { signers, fields }, expect: 200 });
  await call(stack, `/v1/circuits/${id}/publish`, { key, method: 'POST', expect: 200 });
  return id;
}

export function sendEnvelope(
  stack: TestStack,
  { apiKey: key }: Integrator,
  circuitId: string,
  signers: Person[],
  changes: Record<string, unknown> = {},
): Promise<SentEnvelope> {
  const body = { circuit_id: circuitId, signers, subject: 'Arriendo del local 12', ...changes };
  return call(stack, '/v1/envelopes', { key, body, expect: 201, idempotencyKey: crypto.randomUUID() });
}

export function envelopeOf(stack: TestStack, { apiKey: key }: Integrator, id: string): Promise<Envelope> {
  return call(stack, `/v1/envelopes/${id}`, { key, expect: 200 });
}

/** Asks until the envelope has one of these states. */
export async function envelopeIn(
  stack: TestStack,
  integrator: Integrator,
  id: string,
  statuses: string[],
  timeoutMs = 30_000,
  everyMs = 200,
): Promise<Envelope> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    const envelope = await envelopeOf(stack, integrator, id);
    if (statuses.includes(envelope.status)) return envelope;
    if (Date.now() > deadline) throw new Error(`${id} is still ${envelope.status} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Answers a mailbox's mails to an address, newest first. */
export type Mailbox = (address: string) => Mail[];

/** The code of the newest mail with one, once it is there and is not `before`. */
export async function newCode(mailbox: Mailbox, address: string, timeoutMs = 30_000): Promise<string> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    const mail = mailbox(address).find(({ text }) => CODE.test(text));
    if (mail) return codeIn(mail);
    if (Date.now() > deadline) throw new Error(`no code for ${address} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** A signer's whole way by the public endpoints, from the first look to the signature; answers the last state. */
export async function signByHttp(
  stack: TestStack,
  mailbox: Mailbox,
  signer: Pick<SentSigner, 'sign_token' | 'email'>,
  options: { name?: string; accessCode?: string; city?: string } = {},
): Promise<SignerState> {
  const home = `/v1/sign/${signer.sign_token}`;
  const step = (path: string, body: unknown, expect = 200) =>
    call<SignerState>(stack, `${home}${path}`, { body, expect, proof });
  let proof: string | undefined;
  let state = await call<SignerState>(stack, home, { expect: 200 });
  const { version, locale } = state.consent;
  state = await step('/consent', { accepted: true, locale, version });
  while (state.next === 'otp' || state.next === 'access_code') {
    if (state.next === 'access_code') state = await step('/access-code', { code: options.accessCode });
    else {
      await call(stack, `${home}/otp/send`, { method: 'POST', expect: 202 });
      state = await step('/otp/verify', { code: await newCode(mailbox, signer.email) });
    }
    proof = state.proof?.token ?? proof;
  }
  const signature = { type: 'typed', text: options.name ?? 'María Peña' };
  return step('/sign', { signature, fields: answersFor(state, options.city ?? 'Bogotá'), intent: true });
}

function answersFor({ fields }: SignerState, city: string): Record<string, string | boolean> {
  const answers: Record<string, string | boolean> = {};
  for (const { key, type } of fields) {
    if (type === 'checkbox') answers[key] = true;
    if (type === 'text') answers[key] = city;
    if (type === 'initials') answers[key] = 'MP';
  }
  return answers;
}
