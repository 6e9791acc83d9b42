import {
  SpanStatusCode,
  context,
  propagation,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';

const TRACER = 'constancia';
let enabled = false;

/** Whether an exporter is configured; without one no span is made and no SDK module is loaded. */
export function tracingEnabled(): boolean {
  return enabled;
}

export interface TracingOptions {
  app: string;
  /** OTLP over HTTP, for example http://collector:4318. Left out: no tracing. */
  endpoint?: string;
}

/** Starts tracing when an endpoint is given. Returns the function that sends what is left and stops. */
export async function startTracing({ app, endpoint }: TracingOptions): Promise<() => Promise<void>> {
  if (endpoint === undefined || endpoint === '') return async () => {};
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': app }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })),
    ],
  });
  provider.register();
  enabled = true;
  return async () => {
    enabled = false;
    await provider.shutdown();
  };
}

/** The W3C traceparent of the running span, to be stored with an event or a job; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  if (!enabled) return undefined;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

export interface SpanOptions {
  /** A traceparent that this span continues; left out: the running span. */
  parent?: string;
  /** Traceparents that this span has to do with without being part of them (a replay and its original). */
  links?: string[];
}

/** Runs `work` inside a span; its failure marks the span. Costs nothing without tracing. */
export async function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  if (!enabled) return work();
  const parent = options.parent === undefined ? context.active() : contextOf(options.parent);
  const links = (options.links ?? []).map(linkOf).filter((link) => link !== undefined);
  const span = trace
    .getTracer(TRACER)
    .startSpan(name, { attributes, links, root: links.length > 0 && !options.parent }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** A span that begins here and is ended by its owner, and the context to run work in. For servers; elsewhere use withSpan. */
export function beginSpan(
  name: string,
  attributes: Attributes,
  traceparent?: string,
): { span: Span; context: Context } {
  const parent = traceparent === undefined ? context.active() : contextOf(traceparent);
  const span = trace.getTracer(TRACER).startSpan(name, { attributes }, parent);
  return { span, context: trace.setSpan(parent, span) };
}

function contextOf(traceparent: string): Context {
  return propagation.extract(context.active(), { traceparent });
}

function linkOf(traceparent: string): Link | undefined {
  const linked = trace.getSpanContext(contextOf(traceparent));
  return linked === undefined ? undefined : { context: linked };
}
