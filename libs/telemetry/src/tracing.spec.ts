import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { currentTraceparent, startTracing, tracingEnabled, withSpan } from './index.ts';

let stop: (() => Promise<void>) | undefined;

afterEach(async () => {
  await stop?.();
  stop = undefined;
});

describe('tracing', () => {
  it('does nothing without an exporter', async () => {
    stop = await startTracing({ app: 'spec' });
    expect(tracingEnabled()).toBe(false);
    expect(await withSpan('seal', { 'seal.pages': 1 }, async () => currentTraceparent())).toBeUndefined();
  });

  it('continues the trace that an event carries, and sends its spans', async () => {
    const received: string[] = [];
    const collector = createServer((request, response) => {
      received.push(request.url ?? '');
      request.resume().on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = collector.address() as AddressInfo;
      stop = await startTracing({ app: 'spec', endpoint: `http://127.0.0.1:${port}/` });
      const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const inside = await withSpan('deliver', {}, async () => currentTraceparent(), { parent });
      expect(inside).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
      expect(inside).not.toBe(parent);
      const replay = await withSpan('replay', {}, async () => currentTraceparent(), { links: [parent] });
      expect(replay).not.toContain('0af7651916cd43dd8448eb211c80319c');
      await expect(withSpan('fails', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
      await stop();
      stop = undefined;
      expect(received).toContain('/v1/traces');
    } finally {
      collector.close();
      collector.closeAllConnections();
    }
  });
});
