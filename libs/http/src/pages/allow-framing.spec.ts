import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage, listenForPages, OnPageHost, PageFiles, Public, sendPageFile } from '../index.ts';
import { specApp, type SpecApp } from '../spec-app.fixture.ts';

const ORIGINS = ['https://shop.example', 'http://localhost:8080'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'framed-'));
const files = new PageFiles([folder]);

@Controller()
class Pages {
  @Get('framed/:name')
  @Public()
  @OnPageHost()
  @AppPage()
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { name } = request.params as { name: string };
    await sendPageFile(files, name, { request, reply, cacheControl: 'no-store', frameAncestors: ORIGINS });
  }
}

@Module({ controllers: [Pages] })
class PagesModule {}

let app: SpecApp['app'];
let url: string;

beforeAll(async () => {
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Page</title>');
  const pages = { '/plain': 'index.html' };
  ({ app } = await specApp({ pageHosts: { page: { port: 0, folders: [folder], pages } } }, PagesModule));
  await app.listen(0, '127.0.0.1');
  url = `http://127.0.0.1:${await listenForPages(app)}`;
});
afterAll(async () => {
  await app?.close();
  fs.rmSync(folder, { recursive: true });
});

const headersOf = async (target: string) => {
  const { status, headers } = await fetch(`${url}${target}`);
  return { status, policy: headers.get('content-security-policy') ?? '', deny: headers.get('x-frame-options') };
};

it('lets exactly the given origins show a page in a frame, and changes no other answer', async () => {
  const framed = await headersOf('/framed/index.html');
  expect(framed).toMatchObject({ status: 200, deny: null });
  expect(framed.policy.split(';')).toContain(`frame-ancestors ${ORIGINS.join(' ')}`);
  const plain = await headersOf('/plain');
  expect(plain).toMatchObject({ status: 200, deny: 'DENY' });
  expect(framed.policy.replace(ORIGINS.join(' '), "'none'")).toBe(plain.policy);
  const missing = await headersOf('/framed/nothing.html');
  expect(missing).toMatchObject({ status: 404, deny: 'DENY' });
  expect(missing.policy).toContain("frame-ancestors 'none'");
});
