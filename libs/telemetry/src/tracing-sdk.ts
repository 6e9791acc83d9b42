import { endsWithin } from '@constancia/kernel';
import { type Context, context, type ContextManager, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { FollowedValue } from './followed-value.ts';

/** One request to the collector. Shorter than FLUSH_MS: a collector that hangs must not outlast the end of the process. */
const EXPORT_MS = 2_500;
/** How long a span may wait for its batch: what a killed process loses at most. */
const BATCH_MS = 1_000;
const QUEUE = 8_192;
/** What ending waits for, however the collector is. */
const FLUSH_MS = 3_000;

/** ExportResultCode.SUCCESS of @opentelemetry/core. */
const SENT = 0;

export interface TracingSdk {
  app: string;
  endpoint: string;
  /** Called with the number of spans that could not be sent. */
  onLost: (spans: number, reason: string) => void;
}

/** The OpenTelemetry SDK: loaded by startTracing only, and only with an exporter. Answers what sends the rest and stops. */
export function openTracing({ app, endpoint, onLost }: TracingSdk): () => Promise<void> {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = reporting(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), onLost);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': app, 'service.namespace': 'constancia' }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        scheduledDelayMillis: BATCH_MS,
        exportTimeoutMillis: EXPORT_MS,
        maxQueueSize: QUEUE,
      }),
    ],
  });
  provider.register({ contextManager: new FollowedContext() });
  return async () => {
    // What cannot be sent has been reported by then; it is no reason to end with an error.
    await endsWithin(
      FLUSH_MS,
      provider.shutdown().catch(() => undefined),
    );
    for (const api of [trace, context, propagation]) api.disable();
  };
}

/** The SDK's own one has a storage of its own. */
class FollowedContext implements ContextManager {
  private readonly followed = new FollowedValue<Context>();

  active(): Context {
    return this.followed.get() ?? ROOT_CONTEXT;
  }

  with<Args extends unknown[], F extends (...args: Args) => ReturnType<F>>(
    context: Context,
    work: F,
    thisArg?: ThisParameterType<F>,
    ...args: Args
  ): ReturnType<F> {
    return this.followed.run(context, () => work.apply(thisArg, args));
  }

  bind<T>(context: Context, target: T): T {
    if (typeof target !== 'function') return target;
    const { followed } = this;
    return function (this: unknown, ...args: unknown[]): unknown {
      return followed.run(context, () => Reflect.apply(target, this, args) as unknown);
    } as T;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

/** The SDK drops what it cannot send without a word. */
function reporting(exporter: SpanExporter, onLost: TracingSdk['onLost']): SpanExporter {
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        if (Number(result.code) !== SENT) onLost(spans.length, result.error?.message ?? 'unknown');
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
