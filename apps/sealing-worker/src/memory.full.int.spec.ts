import { randomBytes } from 'node:crypto';
import { eventually, testDatabase, testTenant } from '@constancia/testing';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import {
  acceptedRequests,
  requestOf,
  runningWorker,
  storedTemplate,
  workerServices,
} from './running-sealing-worker.fixture.ts';

const MB = 1024 * 1024;

async function largePdf(): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.addPage([595, 842]);
  await document.attach(randomBytes(24 * MB), 'filling.bin');
  return Buffer.from(await document.save());
}

describe('a worker that seals many large documents at once', () => {
  it('keeps the memory of templates and documents within its bounds', async () => {
    const [store, around] = await Promise.all([testDatabase(), workerServices()]);
    const tenant = await testTenant(store, { credits: 1000 });
    const ids: string[] = [];
    for (let template = 0; template < 4; template++) {
      const templateId = await storedTemplate(store, around, tenant, { pdf: await largePdf() });
      ids.push(...(await acceptedRequests(store, tenant, templateId, { count: 3 })));
    }
    const [templateCacheMb, documentsMb] = [32, 160]; // one template, and two documents
    const worker = await runningWorker(store, around, { templateCacheMb, documentsMb });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5);
    for (const id of ids)
      await eventually(async () => expect((await requestOf(store, id)).status).toBe('signed'), 60_000);
    clearInterval(watch);
    await worker.close();
    await Promise.all([store.drop(), around.close()]);
    // What the test itself made is in it too.
    expect(most / MB).toBeLessThan(templateCacheMb + documentsMb + 64);
  }, 120_000);
});
