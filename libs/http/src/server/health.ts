import type { FastifyInstance } from 'fastify';
import { DependencyUnavailable } from '@constancia/problem-json';
import { failedChecks } from '@constancia/telemetry';
import type { DrainState } from '../answers/drain.ts';
import type { HttpOptions } from '../http-options.ts';
import { type Host, PAGE_HOSTS } from '../routes/hosts.ts';

const PROBE = {
  config: { constancia: { public: true, unlimited: true, hosts: ['api', ...PAGE_HOSTS] satisfies Host[] } },
};
/** How long a result answers further requests: anybody may ask, and the checks cost the store something. */
const READINESS_CACHE_MS = 1_000;

/**
 * /livez: the process answers. /readyz: it can also do its work. Probes are never refused for their number, so the checks run at most
 * once per second; what is missing is reported on the ops port only.
 */
export function registerHealth(
  server: FastifyInstance,
  { readiness }: Pick<HttpOptions, 'readiness'>,
  drain: DrainState,
): void {
  const ready = atMostEvery(READINESS_CACHE_MS, async () => (await failedChecks(readiness)).length === 0);
  server.get('/livez', PROBE, async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
  server.get('/readyz', PROBE, async (_request, reply) => {
    if (drain.draining || !(await ready())) throw new DependencyUnavailable('unavailable');
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}

/** Runs `check` at most once per interval, counted from its end; all callers in the meantime get the same result. */
function atMostEvery(intervalMs: number, check: () => Promise<boolean>): () => Promise<boolean> {
  let result: Promise<boolean> | undefined;
  let endedAtMs = Infinity;
  return () => {
    if (result !== undefined && performance.now() - endedAtMs < intervalMs) return result;
    endedAtMs = Infinity;
    result = check().finally(() => {
      endedAtMs = performance.now();
    });
    return result;
  };
}
