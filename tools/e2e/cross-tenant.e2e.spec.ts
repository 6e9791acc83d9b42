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

/** Bodies that are needed to get past the shape checks; every other operation is called without one. */
const BODIES: Record<string, unknown> = {
  putWebhookEndpoint: { url: 'http://127.0.0.1:9/' },
};

/** Operations with an id, from the committed OpenAPI files. Public ones have no tenant. */
const OPERATIONS = DOCUMENTED.flatMap((app) =>
  ContractDocument.load(app)
    .operations.filter(({ path, public: open }) => path.includes('{id}') && !open)
    .map((operation) => ({ app, ...operation })),
);

let stack: TestStack;
let sink: WebhookSink;
let owner: Integrator;
let stranger: Integrator;
/** Ids of the owner, by the path that they stand in. */
let owned: [prefix: string, id: string][];

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
    ['/tenants/', owner.tenantId],
    ['/webhook-deliveries/replays/', run?.id as string],
    ['/webhook-deliveries/', deliveryId],
    ['/v1/signatures/', signatureId],
    ['/v1/templates/', templateId],
  ];
});
afterAll(async () => {
  await stack?.close();
  await sink?.close();
});

/** Another id of the same kind, which nobody has. */
function unknownLike(id: string): string {
  return isUuid(id) ? uuidv7() : typeId(id.slice(0, 3) as 'sig');
}

async function call(operation: (typeof OPERATIONS)[number], id: string, apiKey: string) {
  const host = operation.app === 'platform' ? stack.baseUrl : stack.signingUrl;
  const path = operation.path.replace('{id}', id).replace('{module}', 'seal');
  const body = BODIES[operation.operationId];
  const response = await httpOf(stack)(`${host}${path}`, {
    method: operation.method,
    headers: { 'X-API-Key': apiKey, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
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
      const id = owned.find(([prefix]) => operation.path.startsWith(prefix))?.[1];
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
      (await stranger.signing.GET('/v1/templates')).data,
      (await stranger.signing.GET('/v1/signatures')).data,
    ];
    expect(lists.map((list) => list?.data)).toEqual([[], [], []]);
  });

  it('was changed by none of these calls: the owner still sees everything', async () => {
    for (const [prefix, id] of owned) {
      const host = prefix.startsWith('/v1/') ? stack.signingUrl : stack.baseUrl;
      const response = await httpOf(stack)(`${host}${prefix}${id}`, { headers: { 'X-API-Key': owner.apiKey } });
      expect(response.status, prefix).toBe(200);
    }
    const { data: endpoints } = await owner.platform.GET('/tenants/{id}/webhook-endpoints', {
      params: { path: { id: owner.tenantId } },
    });
    expect(endpoints?.data[0]?.url).toContain(sink.url);
  });
});
