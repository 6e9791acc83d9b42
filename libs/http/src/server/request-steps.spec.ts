import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { specApp, type SpecApp } from '../spec-app.fixture.ts';
import { REQUEST_STEPS } from './request-steps.ts';

let spec: SpecApp;

beforeAll(async () => {
  spec = await specApp();
});
afterAll(() => spec.app.close());

it('a server registers the steps of a request, all of them, in their order, before the hooks of Nest and any other', () => {
  const server = spec.app.getHttpAdapter().getInstance() as FastifyInstance;
  const hooksOf = Object.getOwnPropertySymbols(server).find(({ description }) => description === 'fastify.hooks');
  const { onRequest } = server[hooksOf as unknown as 'version'] as unknown as { onRequest: unknown[] };
  expect(onRequest.slice(0, REQUEST_STEPS.length)).toEqual(REQUEST_STEPS);
});

it('docs/architecture.md lists them by name', () => {
  const text = readFileSync(path.join(import.meta.dirname, '../../../../docs/architecture.md'), 'utf8');
  const listed = [...text.matchAll(/^ {3}\d+\. `(\w+)`/gm)].map(([, name]) => name);
  expect(listed).toEqual(REQUEST_STEPS.map(({ name }) => name));
});
