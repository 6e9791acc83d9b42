import type { StoresConfig } from '@constancia/config';
import { RateLimiter } from '@constancia/rate-limit';
import type { Logger, Metrics } from '@constancia/telemetry';

/** The limiter of a process, as it is configured; the gauge `rate_limit_degraded` and the log say when Redis is not used. */
export function rateLimiterOf(
  config: Pick<StoresConfig, 'redisUrl'>,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): RateLimiter {
  const limiter = new RateLimiter({
    redisUrl: config.redisUrl,
    onChange: (degraded) =>
      logger.warn(degraded ? 'rate limits count in this process only' : 'rate limits count in Redis'),
  });
  metrics.gauge('rate_limit_degraded', '1 while Redis is configured and not used', [], (gauge) => {
    gauge.set(limiter.degraded());
  });
  return limiter;
}
