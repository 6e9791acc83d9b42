import type { StoresConfig } from '@constancia/config';
import { RateLimiter } from '@constancia/rate-limit';
import { Logger, Metrics } from '@constancia/telemetry';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';

type RateLimitConfig = Pick<StoresConfig, 'redisUrl'>;

/** Provides the limiter of the process; the gauge `rate_limit_degraded` and the log say when Redis is not used. */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(private readonly limiter: RateLimiter) {}

  static forRoot(config: Type<RateLimitConfig>): DynamicModule {
    const provider = {
      provide: RateLimiter,
      inject: [config, Logger, Metrics],
      useFactory: ({ redisUrl }: RateLimitConfig, logger: Logger, metrics: Metrics) => {
        const limiter = new RateLimiter({
          redisUrl,
          onChange: (degraded) =>
            logger.warn(degraded ? 'rate limits count in this process only' : 'rate limits count in Redis'),
        });
        metrics.gauge('rate_limit_degraded', '1 while Redis is configured and not used', [], (gauge) => {
          gauge.set(limiter.degraded());
        });
        return limiter;
      },
    };
    return { module: RateLimitModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.limiter.close();
  }
}
