import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageLanguage, problemText } from './problem-texts.ts';
import { specApp } from '../spec-app.fixture.ts';

const DOCUMENT = '# Generated.\nopenapi: 3.1.0\ninfo: { title: "Añádelo", version: "1" }\npaths: {}\n';

let app: NestFastifyApplication;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'api-docs-'));
  const openapiFile = path.join(folder, 'spec.v1.yaml');
  writeFileSync(openapiFile, DOCUMENT);
  ({ app } = await specApp({ openapiFile, problemPages: true, config: { rateLimitIp: 1_000_000 } }));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

describe('the API document', () => {
  it('is served byte for byte, with a tag', async () => {
    const response = await get('/api/spec.v1.yaml');
    expect(response.rawPayload.equals(Buffer.from(DOCUMENT))).toBe(true);
    expect(response.headers['content-type']).toBe('application/yaml');
    const { etag } = response.headers;
    expect((await get('/api/spec.v1.yaml', { 'if-none-match': `"other", W/${etag}` })).statusCode).toBe(304);
    expect((await get('/api/spec.v1.yaml', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is drawn by a page that runs nothing inline and loads nothing from elsewhere', async () => {
    const page = await get('/docs');
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.body).not.toMatch(/<script(?![^>]*src=)|\son\w+=|style=|<style/);
    const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      expect(link).toMatch(/^\//);
      expect((await get(link)).statusCode, link).toBe(200);
    }
    expect((await get('/docs/start.js')).body).toContain('"/api/spec.v1.yaml"');
  });

  it('serves no other file', async () => {
    for (const name of ['package.json', '..%2fpackage.json', '%2e%2e', 'index.html', 'constructor']) {
      expect((await get(`/docs/${name}`)).statusCode, name).toBe(404);
    }
  });
});

describe('a page about a problem', () => {
  it.each(Object.keys(PROBLEMS) as ProblemSlug[])('exists in both languages: %s', async (slug) => {
    const spanish = await get(`/problems/${slug}`);
    const english = await get(`/problems/${slug}`, { 'accept-language': 'en-US,en;q=0.9' });
    expect(spanish.headers).toMatchObject({ 'content-language': 'es-CO', vary: 'Accept-Language' });
    expect(english.headers['content-language']).toBe('en');
    expect(spanish.body).toContain(problemText(slug, 'es-CO').title);
    expect(english.body).toContain(PROBLEMS[slug].title);
    expect(english.body).toContain(`https://api.example.test/problems/${slug}`);
    expect(problemText(slug, 'es-CO').title).not.toBe(PROBLEMS[slug].title);
    for (const { body } of [spanish, english]) expect(body).not.toMatch(/<script|<style|style=/);
  });

  it('has its style from the same origin', async () => {
    const style = await get('/problems/page.css');
    expect(style.headers['content-type']).toContain('text/css');
    expect((await get('/problems/not-found')).headers['content-security-policy']).toContain("style-src 'self'");
  });

  it('is 404 for an unknown slug', async () => {
    for (const slug of ['nonsense', 'constructor', '__proto__']) {
      expect((await get(`/problems/${slug}`)).statusCode).toBe(404);
    }
  });

  it.each([
    [undefined, 'es-CO'],
    ['en', 'en'],
    ['fr, en;q=0.3', 'en'],
    ['en;q=0.4, es;q=0.9', 'es-CO'],
    ['en;q=0', 'es-CO'],
    ['*', 'es-CO'],
    [`${'x,'.repeat(10_000)}en`, 'es-CO'],
  ])('is in the language of %s', (header, language) => {
    expect(pageLanguage(header)).toBe(language);
  });
});
