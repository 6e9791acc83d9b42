import {
  type ComplianceClient,
  createComplianceClient,
  createPlatformClient,
  createSigningClient,
  type PlatformClient,
  type SigningClient,
} from '@constancia/sdk';
import { sqlState } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import { checkedFetch, type CheckedFetch, startStack, type StackOptions, type TestStack } from '@constancia/testing';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import pg from 'pg';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { IDENTITY } from '../../apps/platform/src/identity/migrations/all.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { SIGNING } from '../../apps/signing/src/migrations/all.ts';
import { brokenInvariants as brokenInStore } from '../oracle/broken-invariants.ts';
import type { Query } from '../oracle/finding.ts';

/** Limits out of the way, for tests that are about something else. */
export const NO_LIMITS = {
  RATE_LIMIT_TENANT: '1000000',
  RATE_LIMIT_IP: '1000000',
  RATE_LIMIT_SIGNUP: '1000000',
  RATE_LIMIT_RECOVERY: '1000000',
  READ_BUDGET_SECONDS: '1000000',
};

export function startDeployment(options: Partial<StackOptions> = {}): Promise<TestStack> {
  return startStack({ modules: [PLATFORM, IDENTITY, COMPLIANCE, SIGNING], migrateQueue, ...options });
}

/** Where a running deployment is: that of a test, or the local stack. */
export type Hosts = Pick<TestStack, 'baseUrl' | 'complianceUrl' | 'signingUrl' | 'checked'> & {
  cluster: Pick<TestStack['cluster'], 'adminUrl'>;
};

/** A fetch that checks every answer of the deployment against the committed OpenAPI files. */
export function httpOf(stack: Omit<Hosts, 'cluster'>): CheckedFetch {
  if (!stack.checked) return fetch;
  return checkedFetch({ platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl });
}

/** A tenant as its integrator sees it: what sign-up answered, and the typed clients. */
export interface Integrator {
  tenantId: string;
  apiKey: string;
  webhookSecret: string;
  ownerEmail: string;
  platform: PlatformClient;
  compliance: ComplianceClient;
  signing: SigningClient;
}

let signUps = 0;

/** Signs a tenant up through the API. Retries are off: a test sees every answer. */
export async function signUp(
  stack: Hosts,
  { slug = `e2e-${process.pid}-${Date.now().toString(36)}-${signUps++}`, displayName = 'Cooperativa de Prueba' } = {},
): Promise<Integrator> {
  const ownerEmail = `owner-${slug}@canary.example`;
  const settings = { retries: false, fetch: httpOf(stack) } as const;
  const open = createPlatformClient({ baseUrl: stack.baseUrl, ...settings });
  const { data, error } = await open.POST('/signup', {
    body: { plan: 'sandbox', slug, display_name: displayName, owner_email: ownerEmail },
  });
  if (!data) throw new Error(`sign-up failed: ${JSON.stringify(error)}`);
  await verifyOwner(stack, data.tenant_id);
  return {
    tenantId: data.tenant_id,
    apiKey: data.api_key,
    webhookSecret: data.webhook_secret,
    ownerEmail,
    platform: createPlatformClient({ baseUrl: stack.baseUrl, apiKey: data.api_key, ...settings }),
    compliance: createComplianceClient({ baseUrl: stack.complianceUrl, apiKey: data.api_key, ...settings }),
    signing: createSigningClient({ baseUrl: stack.signingUrl, apiKey: data.api_key, ...settings }),
  };
}

/** Takes the owner's address as verified, so that mails to signers go out. A release that knows no proofs is left as it is. */
async function verifyOwner(stack: Hosts, tenantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: stack.cluster.adminUrl });
  await client.connect();
  try {
    await client.query('update platform.tenant set owner_email_verified_at = now() where id = $1', [tenantId]);
    await client.query(`delete from platform.owner_notice where tenant_id = $1 and kind = 'owner_email_proof'`, [
      tenantId,
    ]);
  } catch (error) {
    if (sqlState(error) !== '42703') throw error; // no such column
  } finally {
    await client.end();
  }
}

/** A one-page contract with some text of its own. */
export async function contractPdf(text = 'Contrato de prestación de servicios'): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([612, 792]);
  page.drawText(text, { x: 72, y: 700, size: 14, font: await pdf.embedFont(StandardFonts.Helvetica) });
  return Buffer.from(await pdf.save());
}

export const PLACEHOLDERS = [
  { key: 'name', page: 1, x: 72, y: 600, size: 12 },
  { key: 'city', page: 1, x: 72, y: 560, size: 12 },
];

/** Uploads a template; answers its id. */
export async function uploadTemplate(
  stack: Omit<Hosts, 'cluster'>,
  integrator: Integrator,
  pdf?: Buffer,
): Promise<string> {
  const code = `t-${Math.random().toString(36).slice(2)}`;
  const response = await httpOf(stack)(`${stack.signingUrl}/v1/templates?code=${code}&name=Contrato`, {
    method: 'POST',
    headers: {
      'X-API-Key': integrator.apiKey,
      'Content-Type': 'application/pdf',
      'X-Placeholders': JSON.stringify(PLACEHOLDERS),
    },
    body: new Uint8Array(pdf ?? (await contractPdf())),
  });
  const body = (await response.json()) as { id: string };
  if (response.status !== 201) throw new Error(`upload failed: ${JSON.stringify(body)}`);
  return body.id;
}

export interface Signature {
  id: string;
  status: 'pending' | 'signed' | 'failed';
  created_at: string;
  signed_at?: string | null;
  failure_code?: string | null;
  credits_refunded?: number;
}

/** Asks for a signature with an Idempotency-Key; answers the raw response. */
export function requestSignature(
  stack: TestStack,
  integrator: Integrator,
  templateId: string,
  options: { key?: string; name?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  return httpOf(stack)(`${stack.signingUrl}/v1/signatures`, {
    method: 'POST',
    headers: {
      'X-API-Key': integrator.apiKey,
      'Content-Type': 'application/json',
      'Idempotency-Key': options.key ?? crypto.randomUUID(),
    },
    body: JSON.stringify({
      template_id: templateId,
      subject_ref: 'customer-1',
      merge_data: { name: options.name ?? 'María Peña', city: 'Bogotá' },
    }),
    signal: options.signal ?? null,
  });
}

export async function signature(stack: TestStack, integrator: Integrator, id: string): Promise<Signature> {
  const response = await httpOf(stack)(`${stack.signingUrl}/v1/signatures/${id}`, {
    headers: { 'X-API-Key': integrator.apiKey },
  });
  if (!response.ok) throw new Error(`GET signature answered ${response.status}`);
  return (await response.json()) as Signature;
}

/** Waits until a request is signed or failed. */
export async function settled(
  stack: TestStack,
  integrator: Integrator,
  id: string,
  timeoutMs = 30_000,
  everyMs = 250,
): Promise<Signature> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const request = await signature(stack, integrator, id).catch(() => undefined);
    if (request && request.status !== 'pending') return request;
    if (Date.now() > deadline) throw new Error(`${id} is still ${request?.status ?? 'unknown'} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Runs one statement as superuser in the deployment's database. */
export async function inStore<Row>(stack: TestStack, sql: string, params: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: stack.cluster.adminUrl });
  client.on('error', () => undefined); // its query rejects; a fault may end it between two
  await client.connect();
  try {
    return (await client.query(sql, params)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Gives a tenant credits beyond those that sign-up grants. */
export async function grantCredits(stack: TestStack, { tenantId }: Integrator, amount = 1_000_000): Promise<void> {
  await inStore(stack, 'select platform_v1.grant_credits($1, $2, $3, $1, null)', [tenantId, amount, 'test']);
}

/** Runs statements as superuser, for the oracle. */
export function storeOf(stack: TestStack): Query {
  return (sql, params) => inStore(stack, sql, params);
}

/** What is broken of a deployment at rest. What waits for its time (a retry of a webhook, a mail) may do so. */
export function brokenInvariants(stack: TestStack): Promise<string[]> {
  return brokenInStore(storeOf(stack), { pending: false });
}
