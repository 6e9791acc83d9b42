import { readFileSync } from 'node:fs';
import owasp from '@stoplight/spectral-owasp-ruleset';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { answerHeaders } from './answer-headers.ts';
import { EXCEPTIONS, ruleset } from './lint-rules.ts';
import { findingsIn } from './lint.ts';

const headers = Object.fromEntries(Object.keys(answerHeaders()).map((name) => [name, { schema: { type: 'boolean' } }]));
const problem = { description: 'A problem.', headers, content: { 'application/problem+json': {} } };
const NAME = { type: 'string', pattern: '^[a-z]+$', maxLength: 20 };

/** A document with one operation, which the linter has nothing to say against. */
function documentWith(change: { name?: object; query?: string; security?: object[]; headers?: object } = {}): string {
  const { name = NAME, query = 'name', security = [{ ApiKey: [] }], headers: sent = headers } = change;
  const tooMany = { ...problem, headers: { ...headers, 'Retry-After': { schema: { type: 'boolean' } } } };
  return stringify({
    openapi: '3.1.0',
    info: { title: 'Things', description: 'About things.', version: '1', contact: { name: 'Nobody' } },
    servers: [{ url: 'https://api.example.com', description: 'production', 'x-internal': false }],
    tags: [{ name: 'Things', description: 'Things.' }],
    paths: {
      '/things': {
        post: {
          operationId: 'makeThing',
          summary: 'Make a thing',
          description: 'Makes it.',
          tags: ['Things'],
          security,
          parameters: [{ name: query, in: 'query', schema: name }],
          responses: {
            201: { description: 'Made.', headers: sent },
            400: problem,
            401: problem,
            429: tooMany,
            500: problem,
          },
        },
      },
    },
    components: { securitySchemes: { ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } } },
  });
}

const rulesBroken = async (yaml: string) => (await findingsIn('things.v1.yaml', yaml)).map(({ rule }) => rule);

describe('the linter of the OpenAPI files', () => {
  it('has nothing to say against a document that keeps the rules', async () => {
    expect(await findingsIn('things.v1.yaml', documentWith())).toEqual([]);
  });

  it('finds a text without a longest length, and says where', async () => {
    const [finding, ...others] = await findingsIn(
      'things.v1.yaml',
      documentWith({ name: { type: 'string', pattern: '^[a-z]+$' } }),
    );
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'owasp:api4:2023-string-limit',
      pointer: '/paths/~1things/post/parameters/0/schema',
    });
  });

  it.each([
    ['a text that may be anything', { name: { type: 'string', maxLength: 20 } }, 'owasp:api4:2023-string-restricted'],
    ['a number without bounds', { name: { type: 'integer', format: 'int32' } }, 'owasp:api4:2023-integer-limit'],
    ['a list without an end', { name: { type: 'array', items: NAME } }, 'owasp:api4:2023-array-limit'],
    ['a credential in the address', { query: 'access_token' }, 'owasp:api2:2023-no-credentials-in-url'],
    ['a write without a key', { security: [] }, 'owasp:api2:2023-write-restricted'],
    ['an answer without its headers', { headers: {} }, 'constancia:answer-headers'],
    [
      'an answer to other origins',
      { headers: { ...headers, 'Access-Control-Allow-Origin': { schema: { type: 'boolean' } } } },
      'constancia:no-cors',
    ],
  ])('finds %s', async (_, change, rule) => {
    expect(await rulesBroken(documentWith(change))).toContain(rule);
  });
});

describe('the exceptions from its rules', () => {
  it('are these, and each says why', () => {
    expect(
      EXCEPTIONS.map(({ rules, paths }) => [rules.map((rule) => rule.split('2023-')[1]), paths?.length ?? 'all']),
    ).toEqual([
      [['define-cors-origin'], 'all'],
      [['rate-limit'], 'all'],
      [['rate-limit-responses-429'], 2],
      [['read-restricted', 'define-error-responses-401'], 17],
      [['read-restricted', 'define-error-responses-401'], 1],
      [['read-restricted', 'define-error-responses-401'], 2],
      [['read-restricted', 'define-error-responses-401'], 1],
      [['read-restricted', 'define-error-responses-401', 'write-restricted', 'no-credentials-in-url'], 2],
      [['read-restricted', 'define-error-responses-401'], 4],
      [['write-restricted', 'define-error-responses-401'], 4],
      [['write-restricted', 'define-error-responses-401'], 1],
      [['write-restricted'], 1],
      [['write-restricted', 'define-error-responses-401'], 3],
      [['write-restricted', 'define-error-responses-401', 'no-credentials-in-url'], 1],
      [['read-restricted', 'define-error-responses-401'], 1],
      [['write-restricted', 'no-credentials-in-url'], 2],
      [['write-restricted'], 1],
      [['write-restricted'], 1],
      [['read-restricted', 'define-error-responses-401', 'write-restricted', 'no-credentials-in-url'], 14],
    ]);
    for (const { reason } of EXCEPTIONS) expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it('are all needed', { timeout: 60_000 }, async () => {
    const excepted = new Set(EXCEPTIONS.flatMap(({ rules }) => rules));
    const only: RulesetDefinition = {
      extends: [[owasp as unknown as RulesetDefinition, 'off']],
      rules: Object.fromEntries([...excepted].map((rule) => [rule, 'error'])),
    };
    expect(ruleset().overrides?.length).toBe(EXCEPTIONS.filter(({ paths }) => paths).length);
    const met = new Set<string>();
    for (const name of ['platform', 'compliance', 'signing']) {
      const file = `docs/api/${name}.v1.yaml`;
      for (const { rule, pointer } of await findingsIn(file, readFileSync(file, 'utf8'), only)) {
        const path = (pointer.split('/')[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
        met.add(rule).add(`${rule} ${path}`);
      }
    }
    const unneeded = EXCEPTIONS.flatMap(({ rules, paths }) =>
      paths === undefined
        ? rules.filter((rule) => !met.has(rule))
        : paths.filter((path) => !rules.some((rule) => met.has(`${rule} ${path}`))),
    );
    expect(unneeded).toEqual([]);
  });
});
