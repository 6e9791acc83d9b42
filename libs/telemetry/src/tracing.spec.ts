import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { context } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger, currentTraceparent, startTracing, tracingEnabled, withSpan } from './index.ts';

const STORED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
let stop: (() => Promise<void>) | undefined;
let collector: Server | undefined;

afterEach(async () => {
  await stop?.();
  stop = undefined;
  collector?.close();
  collector?.closeAllConnections();
});

/** Takes requests on loopback, or takes them and never answers; the bodies that came. */
async function collecting(answers = true): Promise<{ endpoint: string; bodies: string[]; paths: string[] }> {
  const [bodies, paths]: [string[], string[]] = [[], []];
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      paths.push(request.url ?? '');
      bodies.push(body);
      if (answers) response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector?.listen(0, '127.0.0.1', resolve));
  return { endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, bodies, paths };
}

async function stopped(): Promise<number> {
  const began = performance.now();
  await stop?.();
  stop = undefined;
  return performance.now() - began;
}

describe('tracing', () => {
  it('does nothing without an exporter', async () => {
    stop = await startTracing({ app: 'spec' });
    expect(tracingEnabled()).toBe(false);
    expect(await withSpan('seal', { result: 'signed' }, async () => currentTraceparent())).toBeUndefined();
  });

  it('continues the trace that an event carries, and sends its spans', async () => {
    const { endpoint, paths } = await collecting();
    stop = await startTracing({ app: 'spec', endpoint });
    const inside = await withSpan('deliver', {}, async () => currentTraceparent(), { parent: STORED });
    expect(inside).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(inside).not.toBe(STORED);
    const replay = await withSpan('replay', {}, async () => currentTraceparent(), { links: [STORED] });
    expect(replay).not.toContain('0af7651916cd43dd8448eb211c80319c');
    await expect(withSpan('fails', {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await stopped();
    expect(paths).toContain('/v1/traces');
  });

  it('begins a trace where none was stored, whatever runs around it', async () => {
    const { endpoint } = await collecting();
    stop = await startTracing({ app: 'spec', endpoint });
    const [outer, nested, apart] = await withSpan('outer', {}, async () => [
      currentTraceparent(),
      await withSpan('nested', {}, async () => currentTraceparent()),
      await withSpan('apart', {}, async () => currentTraceparent(), { parent: null }),
    ]);
    const traceOf = (traceparent: string | undefined) => traceparent?.split('-')[1];
    expect(traceOf(nested)).toBe(traceOf(outer));
    expect(traceOf(apart)).not.toBe(traceOf(outer));
    expect(await withSpan('odd', {}, async () => currentTraceparent(), { parent: 'no traceparent' })).toMatch(/^00-/);
  });

  it('binds a function to the trace it is in, and the function keeps its `this`', async () => {
    const { endpoint } = await collecting();
    stop = await startTracing({ app: 'spec', endpoint });
    const seen = {
      bound(this: { name: string }, suffix: string) {
        return [this.name + suffix, currentTraceparent()];
      },
    };
    const [inside, bound] = await withSpan('bound', {}, async () => {
      return [currentTraceparent(), context.bind(context.active(), seen.bound)] as const;
    });
    expect(Reflect.apply(bound, { name: 'a' }, ['b'])).toEqual(['ab', inside]);
  });

  it('sends no attribute that is not on its list, no message of an error, and hides what looks like a secret', async () => {
    const { endpoint, bodies } = await collecting();
    stop = await startTracing({ app: 'spec', endpoint });
    const attributes = { 'http.route': '/v1/sign/{token}', path: '/v1/sign/q7Rr', result: 'live_abcdefgh12345678' };
    await withSpan('sign', attributes, async () => undefined);
    await withSpan('fails', {}, () => Promise.reject(new TypeError('of ana@example.com'))).catch(() => undefined);
    await stopped();
    const sent = bodies.join();
    expect(sent).toContain('/v1/sign/{token}');
    expect(sent).toContain('live_[hidden]');
    expect(sent).toContain('TypeError');
    expect(sent).not.toMatch(/q7Rr|abcdefgh|ana@|"path"/);
  });

  it('gives a log line the trace it was written in', async () => {
    const { endpoint } = await collecting();
    stop = await startTracing({ app: 'spec', endpoint });
    const lines: string[] = [];
    const logger = createLogger({ app: 'spec', stream: { write: (line: string) => void lines.push(line) } });
    logger.info('outside');
    await withSpan('inside', {}, async () => logger.info({ count: 1 }, 'inside'), { parent: STORED });
    expect(JSON.parse(lines[0]!)).not.toHaveProperty('trace_id');
    expect(JSON.parse(lines[1]!)).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c', count: 1 });
  });

  it('ends within seconds when the collector hangs, and when it is gone; both are logged', async () => {
    const { endpoint } = await collecting(false);
    const warnings: object[] = [];
    const logger = { warn: (facts: object) => warnings.push(facts) } as never;
    stop = await startTracing({ app: 'spec', endpoint, logger });
    await withSpan('unsent', {}, async () => undefined);
    expect(await stopped()).toBeLessThan(4_000);
    collector?.closeAllConnections();
    await new Promise((resolve) => collector?.close(resolve));

    stop = await startTracing({ app: 'spec', endpoint, logger });
    await withSpan('unsent', {}, async () => undefined);
    expect(await stopped()).toBeLessThan(4_000);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatchObject({ count: 1 });
  });
});
