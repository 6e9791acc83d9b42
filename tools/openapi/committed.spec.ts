import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCUMENTED_APPS } from './apps.ts';
import type { ApiDocument } from './complete.ts';

const SESSION_OPERATIONS = ['advanceFlowSession', 'issueLivenessChallenge', 'presignUpload', 'showFlowSession'];

const text = (name: string) => readFileSync(`docs/api/${name}.v1.yaml`, 'utf8');
const documentOf = (name: string) => parse(text(name)) as ApiDocument;
const operationsOf = (document: ApiDocument) => Object.values(document.paths).flatMap((item) => Object.values(item));

describe.each(DOCUMENTED_APPS.map(({ name }) => name))('docs/api/%s.v1.yaml', (name) => {
  it('means the same to a reader of YAML 1.1, which takes a bare off, y or no for a boolean', () => {
    expect(parse(text(name), { version: '1.1' })).toEqual(documentOf(name));
  });

  it('asks for a whole number of items on a page', () => {
    const limits = operationsOf(documentOf(name)).flatMap(({ parameters = [] }) =>
      parameters.filter((parameter) => parameter.name === 'limit'),
    );
    expect(limits.length).toBeGreaterThan(0);
    for (const { schema } of limits) expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100 });
  });

  it('names the file of every PDF and CSV that a tenant downloads', () => {
    for (const { operationId, responses } of operationsOf(documentOf(name))) {
      const { content = {}, headers = {} } = responses['200'] ?? {};
      if (!('application/pdf' in content) && !('text/csv' in content)) continue;
      expect(headers, operationId).toHaveProperty('Content-Disposition');
    }
  });
});

it('the operations of a flow session take its token as a bearer, and no other operation does', () => {
  const takers = operationsOf(documentOf('platform'))
    .filter(({ security = [] }) => security.some((alternative) => 'SessionToken' in alternative))
    .map(({ operationId }) => operationId);
  expect(takers.sort()).toEqual(SESSION_OPERATIONS);
  expect(documentOf('platform').components.securitySchemes).toMatchObject({
    SessionToken: { type: 'http', scheme: 'bearer' },
  });
});

it('four operations take a person’s access token as a bearer', () => {
  const takers = operationsOf(documentOf('platform'))
    .filter(({ security = [] }) => security.some((alternative) => 'PersonToken' in alternative))
    .map(({ operationId }) => operationId);
  expect(takers.sort()).toEqual(['advanceFlowSession', 'presignUpload', 'showFlowSession', 'showSubject']);
});

it('every event names the signature by the former secret, which it carries during a rotation', () => {
  const { webhooks = {} } = documentOf('platform');
  expect(Object.keys(webhooks).length).toBeGreaterThan(0);
  for (const [type, { post }] of Object.entries(webhooks as Record<string, { post: { parameters: unknown[] } }>)) {
    const previous = expect.objectContaining({ name: 'X-Service-Signature-Previous', required: false }) as unknown;
    expect(post.parameters, type).toContainEqual(previous);
  }
});

it('a rule has a definition', () => {
  const { schemas } = documentOf('compliance').components;
  for (const name of ['RuleBody', 'RuleView', 'RuleTemplateView'])
    expect(schemas[name]?.required, name).toContain('definition');
});

it('a signature request and an envelope name every code that sealing may end with', () => {
  const { schemas } = documentOf('signing').components;
  for (const name of ['SignatureView', 'EnvelopeView']) {
    const { failure_code: code } = schemas[name]?.properties as Record<string, { enum?: string[] }>;
    expect(code?.enum, name).toContain('invalid_image');
  }
});
