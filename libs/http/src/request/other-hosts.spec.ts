import { readFileSync } from 'node:fs';
import path from 'node:path';
import { API_PATHS, type ApiHost, hostsServing } from '@constancia/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specApp } from '../spec-app.fixture.ts';

const COMMON = /^\/(docs|api|livez|readyz|problems)(\/|$)/;

/** The paths of an app's committed OpenAPI file. */
function pathsOf(host: string): string[] {
  const file = path.join(import.meta.dirname, `../../../../docs/api/${host}.v1.yaml`);
  return [...readFileSync(file, 'utf8').matchAll(/^ {2}(\/[^\s:]*):$/gm)].map(([, found]) => found as string);
}

describe('the table of paths', () => {
  it.each(Object.keys(API_PATHS) as ApiHost[])('has every path of the %s host', (host) => {
    const own = pathsOf(host).filter((each) => !COMMON.test(each));
    expect(own.length).toBeGreaterThan(5);
    expect(
      own.filter((each) => !hostsServing(each).includes(host)),
      'add it to API_PATHS',
    ).toEqual([]);
  });
});

describe('a path that another host serves', () => {
  let app: NestFastifyApplication;
  const detailOf = async (url: string) => {
    const response = await app.inject({ method: 'GET', url });
    return [response.statusCode, (response.json() as { detail: string }).detail];
  };

  beforeAll(async () => {
    const config = { complianceUrl: 'https://compliance.example/', signingUrl: 'https://signing.example' };
    ({ app } = await specApp({ config }));
  });
  afterAll(() => app.close());

  it('is 404, and the sentence names that host', async () => {
    expect(await detailOf('/v1/signatures/sig_1?x=1')).toEqual([
      404,
      'This host has no such path. Paths like this one are served by https://signing.example.',
    ]);
    expect((await detailOf('/v1/templates'))[1]).toContain('https://compliance.example and https://signing.example.');
  });

  it('unlike a path that nobody serves', async () => {
    expect(await detailOf('/v1/signaturesx')).toEqual([404, 'No such path.']);
  });
});
