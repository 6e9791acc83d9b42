/** The main job against a running stack, call by call, as any client would make it. Used by --check and by the demo. */
import { createHash, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { CONTRACT_PLACEHOLDERS, CONTRACT_VALUES, demoContract } from '../../libs/dev-servers/src/demo-contract.mjs';
import { pause } from './processes.mjs';

/** A call that was not answered as it should; carries the status and the problem document, if one came. */
export class CallRefused extends Error {
  constructor(method, url, status, problem, headers) {
    super(`${method} ${url} answered ${status}: ${problem?.detail ?? problem?.title ?? 'no problem document'}`);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }
}

/**
 * Makes one call. Throws CallRefused for any other status than the expected one.
 *
 * @param {string} method
 * @param {string} url
 * @param {{ key?: string, expect: number, headers?: Record<string, string>, json?: unknown, body?: string | Buffer }} options
 */
export async function call(method, url, { key, expect, headers = {}, json, body }) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { 'x-api-key': key } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
    signal: AbortSignal.timeout(30_000),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const answer = isJson ? JSON.parse(bytes.toString('utf8')) : null;
  if (response.status !== expect) throw new CallRefused(method, url, response.status, answer, response.headers);
  return { answer, bytes, headers: response.headers };
}

const OWNER = 'duena@demo.example';

export async function signUp(stack, slug = `demo-${randomBytes(4).toString('hex')}`) {
  const json = { plan: 'sandbox', slug, display_name: 'Constancia Demo S.A.S.', owner_email: OWNER };
  const { answer } = await call('POST', `${stack.base_url}/signup`, { json, expect: 201 });
  await verifyOwner(stack, answer.tenant_id);
  return {
    tenant_id: answer.tenant_id,
    slug: answer.slug,
    api_key: answer.api_key,
    webhook_secret: answer.webhook_secret,
  };
}

/** Proves the owner's address with the token in the mailbox of the stack, so that mails to signers go out. Without that mailbox they wait. */
async function verifyOwner(stack, tenantId) {
  const token = await whenMailed(stack, new RegExp(`${tenantId}\\.(own_[0-9A-Za-z]{43})`), 10_000);
  if (token === undefined) return;
  await call('POST', `${stack.base_url}/tenants/${tenantId}/owner-email/proof`, { json: { token }, expect: 200 });
}

async function whenMailed(stack, wanted, timeoutMs) {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await pause(250)) {
    const url = `${stack.mailbox_url}/messages?to=${encodeURIComponent(OWNER)}`;
    const response = await fetch(url).catch(() => undefined);
    if (!response?.ok) return undefined; // mails go elsewhere (SMTP_URL)
    for (const { text } of await response.json()) {
      const found = wanted.exec(text)?.[1];
      if (found) return found;
    }
  }
  return undefined;
}

export async function registerEndpoint(stack, tenant, url) {
  const endpoint = `${stack.base_url}/tenants/${tenant.tenant_id}/webhook-endpoints/seal`;
  return (await call('PUT', endpoint, { key: tenant.api_key, json: { url }, expect: 200 })).answer;
}

export async function uploadTemplate(stack, tenant) {
  const query = new URLSearchParams({
    code: `contrato-${randomBytes(4).toString('hex')}`,
    name: 'Contrato de servicios',
  });
  const { answer } = await call('POST', `${stack.signing_url}/v1/templates?${query}`, {
    key: tenant.api_key,
    headers: { 'content-type': 'application/pdf', 'x-placeholders': JSON.stringify(CONTRACT_PLACEHOLDERS) },
    body: demoContract(),
    expect: 201,
  });
  return answer;
}

export async function requestSignature(stack, tenant, template) {
  const { answer } = await call('POST', `${stack.signing_url}/v1/signatures`, {
    key: tenant.api_key,
    headers: { 'idempotency-key': randomUUID() },
    json: { template_id: template.id, subject_ref: 'cliente-001', merge_data: CONTRACT_VALUES },
    expect: 202,
  });
  return answer;
}

/** Asks until the request is signed. Throws when it fails, or takes longer than allowed. */
export async function whenSigned(stack, tenant, request, timeoutMs) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(250)) {
    const url = `${stack.signing_url}/v1/signatures/${request.id}`;
    const { answer } = await call('GET', url, { key: tenant.api_key, expect: 200 });
    if (answer.status === 'signed') return answer;
    if (answer.status === 'failed')
      throw new Error(`the request failed: ${answer.failure_code}, ${answer.failure_reason}`);
    if (Date.now() > deadline) throw new Error(`the request is still ${answer.status} after ${timeoutMs / 1000} s`);
  }
}

/** The sealed file with what its headers say, and the public key to check it with. */
export async function downloadSealed(stack, tenant, request) {
  const url = `${stack.signing_url}/v1/signatures/${request.id}/document`;
  const { bytes, headers } = await call('GET', url, { key: tenant.api_key, expect: 200 });
  const keyArn = headers.get('x-kms-key-arn');
  const keys = (await call('GET', `${stack.signing_url}/v1/signing-keys`, { key: tenant.api_key, expect: 200 })).answer
    .data;
  const { fingerprint } = keys.find((one) => one.key_arn === keyArn);
  const pem = (await call('GET', `${stack.signing_url}/keys/${fingerprint}.pem`, { expect: 200 })).bytes;
  return {
    pdf: bytes,
    sha256: headers.get('x-document-sha256'),
    signature: Buffer.from(headers.get('x-signature') ?? '', 'hex'),
    algorithm: headers.get('x-signature-algorithm'),
    keyArn,
    pem,
  };
}

/** Whether hash and signature hold, without asking the service. */
export function sealHolds({ pdf, sha256, signature, algorithm, pem }) {
  return (
    pdf.subarray(0, 5).toString() === '%PDF-' &&
    algorithm === 'RSASSA_PKCS1_V1_5_SHA_256' &&
    createHash('sha256').update(pdf).digest('hex') === sha256 &&
    verify('sha256', pdf, createPublicKey(pem), signature)
  );
}

export async function ledger(stack, tenant) {
  return (await call('GET', `${stack.base_url}/v1/billing/ledger`, { key: tenant.api_key, expect: 200 })).answer.data;
}

/** The tenant's deliveries, once one of them is delivered. */
export async function deliveries(stack, tenant, timeoutMs) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(100)) {
    const { answer } = await call('GET', `${stack.base_url}/webhook-deliveries`, { key: tenant.api_key, expect: 200 });
    if (answer.data.some((delivery) => delivery.status === 'delivered')) return answer.data;
    if (Date.now() > deadline) throw new Error('no delivery is marked as delivered');
  }
}
