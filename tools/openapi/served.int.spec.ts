import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ContractChecker, ContractDocument, testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';
import { runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';

interface Running {
  app: NestFastifyApplication;
  call(path: string, call?: { headers?: Record<string, string> }): Promise<{ status: number; headers: Headers }>;
  url: string;
  close(): Promise<void>;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const START: Record<'platform' | 'compliance' | 'signing', () => Promise<Running>> = {
  platform: () => runningPlatform(database),
  compliance: () => runningCompliance(database),
  signing: () => runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) }),
};

const routesIn = ({ operations }: ContractDocument) => operations.map(({ method, path }) => `${method} ${path}`);
const OPS = ContractDocument.load('ops');
/** Routes of the ops listener: several apps may serve one. */
const OPERATORS = /^[A-Z]+ \/ops(\/|$)/;
/** Routes of a published protocol, which describes them: OpenID Connect, OpenID4VCI. The operations of clients are ours. */
const OF_PROTOCOLS = /^[A-Z]+ \/(\.well-known\/|v1\/wallet\/(issuance|openid4vp)\/|v1\/oidc\/(?!clients))/;
const servedToOperators = new Set<string>();

describe.each(['platform', 'compliance', 'signing'] as const)('the %s app', (name) => {
  const document = ContractDocument.load(name);
  let running: Running;
  beforeAll(async () => {
    running = await START[name]();
  });
  afterAll(() => running.close());

  it('has the routes that its document describes, and no others', () => {
    const routes = routesOf(running.app).filter((route) => !OF_PROTOCOLS.test(route));
    const ofOperators = routes.filter((route) => OPERATORS.test(route));
    expect(routes.filter((route) => !OPERATORS.test(route)).sort()).toEqual(routesIn(document).sort());
    expect(routesIn(OPS)).toEqual(expect.arrayContaining(ofOperators));
    for (const route of ofOperators) servedToOperators.add(route);
  });

  it('serves the committed document byte for byte', async () => {
    const response = await fetch(`${running.url}/api/${name}.v1.yaml`);
    expect(await response.text()).toBe(readFileSync(`docs/api/${name}.v1.yaml`, 'utf8'));
    expect((await running.call(`/api/${name}.v1.yaml`)).status).toBe(200);
  });

  it('serves the documentation for people, with every file of the page from its own host', async () => {
    const pages =
      name === 'platform'
        ? [
            '/docs',
            '/problems/not-found',
            '/owner-email',
            '/owner-email-change',
            '/owner-email-stop',
            '/payment-return',
          ]
        : ['/docs'];
    for (const page of pages) await checkFilesOf(page);
  });

  async function checkFilesOf(address: string): Promise<void> {
    const page = await (await fetch(running.url + address)).text();
    const named = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
    const files = named.filter((file) => !file.startsWith('data:'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of [address, ...files]) {
      expect(file).toMatch(/^\//);
      const { status, headers } = await running.call(file);
      expect(status, file).toBe(200);
      const etag = headers.get('etag');
      if (etag) expect((await running.call(file, { headers: { 'if-none-match': etag } })).status, file).toBe(304);
    }
  }

  it('answers its probes', async () => {
    expect((await running.call('/livez')).status).toBe(200);
    expect((await running.call('/readyz')).status).toBe(200);
  });
});

it('every operation of operators is served by some app', () => {
  expect([...servedToOperators].sort()).toEqual(routesIn(OPS).sort());
});

/** Fastify prints routes that name a part of the path differently as one, `{id}|{token}`: those of them that there are. */
function namesakesOf(printed: string, known: ReadonlySet<string>): string[] {
  const [names] = /\{\w+\}(\|\{\w+\})+/.exec(printed) ?? [];
  if (names === undefined) return [printed];
  const routes = names.split('|').map((name) => printed.replace(names, name));
  const found = routes.filter((route) => known.has(route));
  return found.length > 0 ? found : routes;
}

function templateOf(pattern: string): string {
  return pattern.replace(/:([A-Za-z_]\w*)/g, '{$1}');
}

/** The routes of a running app, as `GET /v1/signatures/{id}`, from the tree that Fastify prints. */
function routesOf(app: NestFastifyApplication): string[] {
  const server = app.getHttpAdapter().getInstance() as unknown as Pick<FastifyInstance, 'constancia' | 'printRoutes'>;
  const routesOfHost = (host: 'api' | 'page' | 'person') =>
    server.constancia.routes.of(host).map(({ method, template }) => `${method} ${template}`);
  const onApi = new Set(routesOfHost('api'));
  // What the pages of the other hosts need, no program asks for.
  const ofPages = [...routesOfHost('page'), ...routesOfHost('person')];
  const onPageHostAlone = new Set(ofPages.filter((route) => !onApi.has(route)));
  const known = new Set([...onApi, ...ofPages]);
  const routes = new Set<string>();
  const above: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, path, methods] = /^((?:│ {3}| {4})*)[├└]── (.*?) \(([A-Z, ]+)\)$/.exec(line) ?? [];
    if (indent === undefined || path === undefined || methods === undefined) continue;
    const depth = indent.length / 4;
    above.length = depth;
    above[depth] = path;
    const template = templateOf(above.join(''));
    const samePage = template.length > 1 && template.endsWith('/');
    if (template.includes('*') || samePage) continue;
    for (const method of methods.split(', '))
      for (const route of namesakesOf(`${method} ${template}`, known)) routes.add(route);
  }
  return [...routes].filter((route) => !route.startsWith('HEAD ') && !onPageHostAlone.has(route));
}
