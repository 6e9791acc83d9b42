import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { serve } from '../index.ts';
import { specApp } from '../spec-app.fixture.ts';

@Module({})
class FailingModule implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return Promise.reject(new Error('a component cannot be closed'));
  }
}

/** A process of its own that serves the app of the specs, or one that fails to close, for serve.e2e.spec.ts. */
const { app, config } = await specApp(
  {
    config: {
      port: Number(process.env.PORT),
      opsPort: Number(process.env.OPS_PORT),
      drainSeconds: Number(process.env.DRAIN_SECONDS),
      rateLimitIp: 1_000_000,
    },
  },
  process.env.FAILING_CLOSE ? FailingModule : undefined,
);
await serve(app, config);
process.send?.('serving');
