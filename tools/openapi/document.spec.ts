import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DOCUMENTED_APPS, type DocumentedApp } from './apps.ts';
import type { ApiDocument } from './complete.ts';
import type { Operation } from './operation.ts';
import { documentOf } from './document.ts';

/** Routes without a key whose address or body holds the credential. */
const OTHER_CREDENTIALS = [
  'put /uploads/{id}',
  'post /tenants/{id}/owner-email/proof',
  'post /tenants/{id}/owner-email/stop',
  'post /v1/billing/callbacks/{provider}',
  'post /v1/wallet/sessions/verify',
  'post /v1/wallet/recovery-evidence/{token}/challenge',
  'put /v1/wallet/recovery-evidence/{token}',
];

const app = (name: DocumentedApp['name']) => DOCUMENTED_APPS.find((one) => one.name === name) as DocumentedApp;

function operations(document: ApiDocument): [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}

afterEach(() => vi.restoreAllMocks());

describe.each(DOCUMENTED_APPS.map(({ name }) => name))('the document of %s', (name) => {
  it('is read from the routes without opening a connection, and is the same every time', async () => {
    const connect = vi.spyOn(net.Socket.prototype, 'connect');
    const first = await documentOf(app(name));
    expect(JSON.stringify(await documentOf(app(name)))).toBe(JSON.stringify(first));
    expect(connect).not.toHaveBeenCalled();
  });

  it('gives every operation an id of its own, a summary, one known tag and its security', async () => {
    const document = await documentOf(app(name));
    const all = operations(document);
    expect(new Set(all.map(([, { operationId }]) => operationId)).size).toBe(all.length);
    for (const [route, { summary, tags, security }] of all) {
      expect(summary, route).toMatch(/\S/);
      expect(tags, route).toHaveLength(1);
      expect(document.tags.map((tag) => tag.name)).toContain(tags?.[0]);
      expect(Array.isArray(security), route).toBe(true);
    }
  });

  it('documents 401 wherever a key is needed, and the rate limit wherever one counts', async () => {
    for (const [route, { security, responses }] of operations(await documentOf(app(name)))) {
      expect('401' in responses, route).toBe(security?.length !== 0 || OTHER_CREDENTIALS.includes(route));
      expect('429' in responses, route).toBe(!/ \/(livez|readyz)$/.test(route));
    }
  });

  it('refuses unknown members of every JSON body', async () => {
    const { paths, components } = await documentOf(app(name));
    for (const item of Object.values(paths)) {
      for (const { requestBody } of Object.values(item)) {
        const reference = requestBody?.content['application/json']?.schema?.$ref;
        if (reference === undefined) continue;
        const schema = components.schemas[reference.split('/').at(-1) as string];
        expect(schema?.additionalProperties, reference).toBe(false);
      }
    }
  });
});

it('accepts a recovery token where, and only where, a route does', async () => {
  const platform = operations(await documentOf(app('platform')));
  const accepting = platform.filter(([, { security }]) => security?.some((one) => 'RecoveryToken' in one));
  expect(accepting.map(([route]) => route)).toEqual(['post /tenants/{id}/rotate-api-key']);
});

it('describes what is delivered to webhook endpoints', async () => {
  const { webhooks, components } = await documentOf(app('platform'));
  expect(Object.keys(webhooks ?? {})).toEqual(expect.arrayContaining(['seal.signature.completed', 'endpoint.test']));
  expect(components.schemas).toHaveProperty('Event_seal_signature_completed');
});
