import { serve } from './index.ts';
import { specApp } from './spec-app.fixture.ts';

/** A process of its own that serves the app of the specs, for serve.e2e.spec.ts. */
const { app, config } = await specApp({
  config: {
    port: Number(process.env.PORT),
    opsPort: Number(process.env.OPS_PORT),
    drainSeconds: Number(process.env.DRAIN_SECONDS),
    rateLimitIp: 1_000_000,
  },
});
await serve(app, config);
process.send?.('serving');
