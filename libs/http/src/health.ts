import type { FastifyInstance } from 'fastify';
import { DatabaseUnavailable, DependencyUnavailable } from '@constancia/problem-json';
import { failedChecks } from '@constancia/telemetry';
import type { DrainState } from './drain.ts';
import type { HttpOptions } from './http-options.ts';

const PROBE = { config: { constancia: { public: true, unlimited: true, hosts: ['api', 'page'] as const } } };

/** /livez: the process answers. /readyz: it can also do its work. Probes are never refused for their number. */
export function registerHealth(
  server: FastifyInstance,
  { readiness, condition }: Pick<HttpOptions, 'readiness' | 'condition'>,
  drain: DrainState,
): void {
  server.get('/livez', PROBE, async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
  server.get('/readyz', PROBE, async (_request, reply) => {
    if (drain.draining) throw new DependencyUnavailable('Not ready: draining.', { failed: ['draining'] });
    const failed = await failedChecks(readiness);
    if (failed.length > 0) throw unavailable(failed);
    return reply.header('cache-control', 'no-store').send({ status: 'ok', ...(await condition?.()) });
  });
}

function unavailable(failed: string[]): DatabaseUnavailable | DependencyUnavailable {
  const detail = `Not ready: ${failed.join(', ')}.`;
  return failed.includes('database')
    ? new DatabaseUnavailable(detail, { failed })
    : new DependencyUnavailable(detail, { failed });
}
