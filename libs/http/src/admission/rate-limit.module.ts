import type { StoresConfig } from '@constancia/config';
import { RateLimiter } from '@constancia/rate-limit';
import { Logger, Metrics } from '@constancia/telemetry';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { rateLimiterOf } from './rate-limiter-of.ts';

type RateLimitConfig = Pick<StoresConfig, 'redisUrl'>;

/** Provides the limiter of the process. */
@Module({})
export class RateLimitModule implements OnApplicationShutdown {
  constructor(private readonly limiter: RateLimiter) {}

  static forRoot(config: Type<RateLimitConfig>): DynamicModule {
    const provider = {
      provide: RateLimiter,
      inject: [config, Logger, Metrics],
      useFactory: (settings: RateLimitConfig, logger: Logger, metrics: Metrics) =>
        rateLimiterOf(settings, { logger, metrics }),
    };
    return { module: RateLimitModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.limiter.close();
  }
}
