import { isUuid, typeId, uuidv7 } from '@constancia/kernel';
import {
  ContractDocument,
  DOCUMENTED,
  eventually,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  httpOf,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  settled,
  signUp,
  startDeployment,
  uploadTemplate,
} from './deployment.fixture.ts';
import { publishedCircuit, sendEnvelope } from './envelopes.fixture.ts';

/** Bodies that are needed to get past the shape checks; every other operation is called without one. */
const BODIES: Record<string, unknown> = {
  putWebhookEndpoint: { url: 'http://127.0.0.1:9/' },
  assignCase: { assignee: 'somebody' },
  commentOnCase: { body: 'x' },
  escalateCase: { reason: 'x' },
  resolveCase: { decision: 'approve', reason: 'x' },
  returnCaseResolution: { reason: 'x' },
  presignUpload: { kind: 'selfie' },
  putFlowSteps: { steps: [{ step_type: 'consent' }] },
  advanceFlowSession: { input: { accepted: true } },
  reviewFlowSession: { decision: 'approve', reason: 'x' },
  uploadBasePdf: Buffer.from('%PDF-1.7'),
  putCircuitDefinition: { signers: [], fields: [] },
  voidEnvelope: { reason: 'x' },
};

/** A name on the lists of a sandbox: its screening opens a case. */
const LISTED = { full_name: 'Aurelio Ficticio Ejemplar', birth_date: '1955-09-30', country_code: 'CO' };

/** Operations with an id, from the committed OpenAPI files. Public ones have no tenant. */
const OPERATIONS = DOCUMENTED.flatMap((app) =>
  ContractDocument.load(app)
    .operations.filter(({ path, public: open }) => path.includes('{id}') && !open)
    .map((operation) => ({ app, ...operation })),
);

type AppName = (typeof DOCUMENTED)[number];

let stack: TestStack;
let sink: WebhookSink;
let owner: Integrator;
let stranger: Integrator;
/** Ids of the owner, by the app and the path that they stand in. */
let owned: [app: AppName, prefix: string, id: string][];
/** Of the owner's validation. */
let ruleId: string;
/** Of the owner's envelope. */
let signerId: string;

beforeAll(async () => {
  stack = await startDeployment({ env: NO_LIMITS });
  sink = await webhookSink();
  [owner, stranger] = [await signUp(stack), await signUp(stack)];
  await owner.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
    params: { path: { id: owner.tenantId, module: 'seal' } },
    body: { url: sink.url },
  });
  const templateId = await uploadTemplate(stack, owner);
  const { id: signatureId } = (await (await requestSignature(stack, owner, templateId)).json()) as { id: string };
  await settled(stack, owner, signatureId);
  await sink.waitFor((delivery) => delivery.body.includes(signatureId));
  const deliveryId = await eventually(async () => {
    const { data } = await owner.platform.GET('/webhook-deliveries');
    return data?.data[0]?.id as string;
  });
  const { data: run } = await owner.platform.POST('/webhook-deliveries/replays', {
    body: { status: ['delivered'], dry_run: true },
  });
  owned = [
    ['platform', '/tenants/', owner.tenantId],
    ['platform', '/webhook-deliveries/replays/', run?.id as string],
    ['platform', '/webhook-deliveries/', deliveryId],
    ['signing', '/v1/signatures/', signatureId],
    ['signing', '/v1/templates/', templateId],
    ...(await screened()),
    ...(await identified()),
    ...(await sent()),
  ];
});

/** A validation with a rule, a screening and the case that it opened. */
async function screened(): Promise<typeof owned> {
  const { compliance } = owner;
  const validation = (await compliance.POST('/v1/validations', { body: {} })).data?.id as string;
  await compliance.POST('/v1/rules/seed-defaults', { body: { validation_id: validation, subject_type: 'both' } });
  const params = { path: { id: validation } };
  ruleId = (await compliance.GET('/v1/validations/{id}/rules', { params })).data?.data[0]?.id as string;
  await compliance.POST('/v1/validations/{id}/publish', { params });
  const screening = await eventually(async () => {
    const body = { subject_ref: 'customer-1', subject_type: 'natural' as const, payload: LISTED };
    const { data } = await compliance.POST('/v1/screenings', { body });
    if (!data) throw new Error('the lists are not loaded yet');
    return data;
  }, 60_000);
  return [
    ['compliance', '/v1/validations/', validation],
    ['compliance', '/v1/screenings/', screening.id],
    ['compliance', '/v1/cases/', screening.case_id as string],
  ];
}

/** A flow, a session on it and its subject. */
async function identified(): Promise<typeof owned> {
  const { platform } = owner;
  const flow = (await platform.POST('/v1/flows/seed-default')).data?.id as string;
  const body = { document_type: 'CC', document_number: '1098765432', country: 'CO' } as const;
  const session = (await platform.POST('/v1/flows/sessions', { body })).data;
  return [
    ['platform', '/v1/flows/sessions/', session?.id as string],
    ['platform', '/v1/kyc/subjects/', session?.subject_id as string],
    ['platform', '/v1/flows/', flow],
  ];
}

/** A circuit and an envelope on it. */
async function sent(): Promise<typeof owned> {
  const circuitId = await publishedCircuit(stack, owner, { parts: [{ role: 'buyer', order: 1 }] });
  const envelope = await sendEnvelope(stack, owner, circuitId, [{ role: 'buyer', email: 'buyer@mail.example' }]);
  signerId = envelope.signers[0]?.id as string;
  return [
    ['signing', '/v1/circuits/', circuitId],
    ['signing', '/v1/envelopes/', envelope.id],
  ];
}

const hostOf = (app: AppName): string =>
  ({ platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl })[app];
afterAll(async () => {
  await stack?.close();
  await sink?.close();
});

/** Another id of the same kind, which nobody has. */
function unknownLike(id: string): string {
  return isUuid(id) ? uuidv7() : typeId(id.slice(0, 3) as 'sig');
}

async function call(operation: (typeof OPERATIONS)[number], id: string, apiKey: string) {
  const host = hostOf(operation.app);
  const path = operation.path.replace('{id}', id).replace('{module}', 'seal').replace('{rule_id}', ruleId);
  const body = BODIES[operation.operationId];
  const pdf = Buffer.isBuffer(body) ? new Uint8Array(body) : null;
  const contentType = pdf ? 'application/pdf' : 'application/json';
  const response = await httpOf(stack)(`${host}${path.replace('{signer_id}', signerId)}`, {
    method: operation.method,
    headers: { 'X-API-Key': apiKey, ...(body ? { 'Content-Type': contentType } : {}) },
    ...(body ? { body: pdf ?? JSON.stringify(body) } : {}),
  });
  const problem = response.status >= 400 ? ((await response.json()) as Record<string, unknown>) : {};
  delete problem.request_id;
  delete problem.instance;
  return { status: response.status, type: response.headers.get('content-type'), problem: JSON.stringify(problem) };
}

describe("another tenant's id", () => {
  it.each(OPERATIONS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'is 404, the same as an unknown one: %s',
    async (_, operation) => {
      const id = owned.find(([app, prefix]) => operation.app === app && operation.path.startsWith(prefix))?.[2];
      expect(id, 'this test knows no id for the path: add one').toBeDefined();
      const foreign = await call(operation, id as string, stranger.apiKey);
      const unknown = await call(operation, unknownLike(id as string), stranger.apiKey);
      expect(foreign).toEqual(unknown);
      expect(foreign.status).toBe(404);
    },
  );

  it('shows up in no list', async () => {
    const lists = [
      (await stranger.platform.GET('/webhook-deliveries')).data,
      (await stranger.platform.GET('/v1/flows')).data,
      (await stranger.platform.GET('/v1/flows/sessions')).data,
      (await stranger.signing.GET('/v1/templates')).data,
      (await stranger.signing.GET('/v1/signatures')).data,
      (await stranger.signing.GET('/v1/circuits')).data,
      (await stranger.signing.GET('/v1/envelopes')).data,
      (await stranger.compliance.GET('/v1/validations')).data,
      (await stranger.compliance.GET('/v1/screenings')).data,
      (await stranger.compliance.GET('/v1/cases')).data,
    ];
    expect(lists.map((list) => list?.data)).toEqual([[], [], [], [], [], [], [], [], [], []]);
  });

  it('was changed by none of these calls: the owner still sees everything', async () => {
    for (const [app, prefix, id] of owned) {
      const response = await httpOf(stack)(`${hostOf(app)}${prefix}${id}`, { headers: { 'X-API-Key': owner.apiKey } });
      expect(response.status, prefix).toBe(200);
    }
    const { data: endpoints } = await owner.platform.GET('/tenants/{id}/webhook-endpoints', {
      params: { path: { id: owner.tenantId } },
    });
    expect(endpoints?.data[0]?.url).toContain(sink.url);
  });
});
