import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { verifySealedDocument, verifyServiceSignature, verifyStandardWebhook } from '@constancia/sdk';
import {
  redisInstalled,
  startRedis,
  type TestRedis,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { sharedPath, variants } from '@constancia/testing/shared-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  brokenInvariants,
  httpOf,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  settled,
  signUp,
  startDeployment,
  uploadTemplate,
} from './deployment.fixture.ts';

const SHARED_PDFS = sharedPath('pdfs', 'py-pdf') ?? '';

describe.each(variants(['redis', 'postgres'] as const))('the main job, queues on %s', (backend) => {
  let redis: TestRedis | undefined;
  let stack: TestStack;
  let sink: WebhookSink;
  let integrator: Integrator;

  beforeAll(async () => {
    if (backend === 'redis') {
      if (!redisInstalled) return console.warn('skipped: redis-server is not installed');
      redis = await startRedis();
    }
    stack = await startDeployment({ redisUrl: redis?.url, env: NO_LIMITS });
    sink = await webhookSink();
    integrator = await signUp(stack);
  });
  afterAll(async () => {
    await stack?.close();
    await sink?.close();
    await redis?.kill();
  });
  const test = it.skipIf(backend === 'redis' && !redisInstalled);

  test('signs up, seals, proves offline with openssl and is notified by a signed webhook', async () => {
    const endpoint = await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module: 'seal' } },
      body: { url: sink.url },
    });
    expect(endpoint.response.status).toBe(200);

    const templateId = await uploadTemplate(stack, integrator);
    const accepted = await requestSignature(stack, integrator, templateId);
    expect(accepted.status).toBe(202);
    const { id, credits_debited: debited } = (await accepted.json()) as { id: string; credits_debited: number };
    expect(debited).toBe(40);
    expect(await settled(stack, integrator, id)).toMatchObject({ status: 'signed' });

    const document = await httpOf(stack)(`${stack.signingUrl}/v1/signatures/${id}/document`, {
      headers: { 'X-API-Key': integrator.apiKey },
    });
    const pdf = Buffer.from(await document.arrayBuffer());
    const signatureHex = document.headers.get('x-signature') as string;
    const { data: keys } = await integrator.signing.GET('/v1/signing-keys');
    const keyUrl = keys?.data[0]?.public_key_url as string;
    const publicKeyPem = await (await fetch(keyUrl)).text();
    expect(verifySealedDocument({ pdf, signatureHex, publicKeyPem })).toMatchObject({
      valid: true,
      sha256: document.headers.get('x-document-sha256'),
    });
    expect(openssl(pdf, signatureHex, publicKeyPem)).toContain('Verified OK');

    const delivery = await sink.waitFor((received) => received.body.includes(id));
    expect(() =>
      verifyServiceSignature(
        delivery.body,
        delivery.headers['x-service-signature'] as string,
        integrator.webhookSecret,
      ),
    ).not.toThrow();
    const event = verifyStandardWebhook(delivery.body, delivery.headers, integrator.webhookSecret, {
      toleranceSeconds: 300,
    });
    expect(event).toMatchObject({
      event_type: 'seal.signature.completed',
      module: 'seal',
      tenant_id: integrator.tenantId,
      payload: { request_id: id, template_id: templateId, subject_ref: 'customer-1', signature: signatureHex },
    });
    const { data: balance } = await integrator.platform.GET('/v1/billing/balance');
    expect(balance).toEqual({ available: 960, held: 0 });
  });

  test('shows the text in the sealed file, where it was asked for', async () => {
    const templateId = await uploadTemplate(stack, integrator);
    const { id } = (await (
      await requestSignature(stack, integrator, templateId, { name: 'Ángela Łukasiewicz' })
    ).json()) as { id: string };
    await settled(stack, integrator, id);
    const document = await httpOf(stack)(`${stack.signingUrl}/v1/signatures/${id}/document`, {
      headers: { 'X-API-Key': integrator.apiKey },
    });
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'sealed-')), 'sealed.pdf');
    fs.writeFileSync(file, Buffer.from(await document.arrayBuffer()));
    expect(execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })).toContain('Ángela Łukasiewicz');
    expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
      'No syntax or stream encoding errors',
    );
  });

  it.skipIf(SHARED_PDFS === '' || (backend === 'redis' && !redisInstalled))(
    'ends every real PDF signed or failed with a code and a sentence',
    async () => {
      const files = fs.readdirSync(SHARED_PDFS).filter((name) => name.endsWith('.pdf'));
      const { data: granted } = await integrator.platform.GET('/v1/billing/balance');
      const affordable = Math.floor((granted?.available ?? 0) / 40);
      const ends = await Promise.all(
        files.slice(0, affordable).map(async (name) => {
          const templateId = await uploadTemplate(stack, integrator, fs.readFileSync(path.join(SHARED_PDFS, name)));
          const { id } = (await (await requestSignature(stack, integrator, templateId)).json()) as { id: string };
          return { name, ...(await settled(stack, integrator, id, 60_000)) };
        }),
      );
      for (const end of ends) {
        if (end.status === 'failed')
          expect(end, end.name).toMatchObject({ failure_code: expect.any(String), failure_reason: expect.any(String) });
      }
      expect(ends.filter((end) => end.status === 'signed').length).toBeGreaterThan(ends.length / 2);
    },
  );

  test('seals 100 requests that arrive at once, p99 under 5 s from created to signed', async () => {
    const busy = await Promise.all([signUp(stack), signUp(stack), signUp(stack), signUp(stack)]);
    const templates = await Promise.all(busy.map((tenant) => uploadTemplate(stack, tenant)));
    const accepted = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const tenant = busy[index % 4] as Integrator;
        const response = await requestSignature(stack, tenant, templates[index % 4] as string);
        return { tenant, ...((await response.json()) as { id: string }) };
      }),
    );
    const ends = await Promise.all(accepted.map(({ tenant, id }) => settled(stack, tenant, id, 30_000, 1_500)));
    const latencies = ends
      .map((end) => Date.parse(end.signed_at as string) - Date.parse(end.created_at))
      .sort((a, b) => a - b);
    console.log(`created to signed, 100 at once: p50 ${latencies[49]} ms, p99 ${latencies[98]} ms`);
    expect(ends.every((end) => end.status === 'signed')).toBe(true);
    expect(latencies[98]).toBeLessThan(5_000);
  });

  test('keeps every secret, mail address and document text out of the logs', async () => {
    await integrator.platform.POST('/tenants/{id}/api-key-recovery', {
      params: { path: { id: integrator.tenantId } },
      body: { owner_email: integrator.ownerEmail },
    });
    await httpOf(stack)(`${stack.baseUrl}/tenants/${integrator.tenantId}?token=canary-in-query`, {
      headers: { 'X-API-Key': `${integrator.apiKey}x` },
    });
    const logs = stack.logs();
    expect(logs.length).toBeGreaterThan(1_000);
    const canaries = [
      integrator.apiKey,
      integrator.webhookSecret,
      integrator.ownerEmail,
      'canary.example',
      'canary-in-query',
      'María',
      'Łukasiewicz',
      'prestación',
      'rec_',
    ];
    expect(canaries.filter((canary) => logs.includes(canary))).toEqual([]);
  });

  test('leaves every invariant whole', async () => {
    expect(await brokenInvariants(stack)).toEqual([]);
  });
});

/** The README's offline verification, command by command. */
function openssl(pdf: Buffer, signatureHex: string, publicKeyPem: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'verify-'));
  fs.writeFileSync(path.join(folder, 'document.pdf'), pdf);
  fs.writeFileSync(path.join(folder, 'signature.bin'), Buffer.from(signatureHex, 'hex'));
  fs.writeFileSync(path.join(folder, 'key.pem'), publicKeyPem);
  const command = ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature.bin', 'document.pdf'];
  return execFileSync('openssl', command, { cwd: folder, encoding: 'utf8' });
}
