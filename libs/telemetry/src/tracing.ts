import {
  SpanKind,
  SpanStatusCode,
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { allowedAttributes } from './span-attributes.ts';

const TRACER = 'constancia';
const LOG_EVERY_MS = 60_000;
let enabled = false;

/** Whether an exporter is configured; without one no span is made and no SDK module is loaded. */
export function tracingEnabled(): boolean {
  return enabled;
}

export interface TracingOptions {
  app: string;
  /** OTLP over HTTP, for example http://collector:4318. Left out: no tracing. */
  endpoint?: string;
  /** Logs, once a minute, the spans that could not be sent. */
  logger?: { warn(fields: object, message: string): void };
}

/** Starts tracing when an endpoint is given. Returns the function that sends what is left, within seconds, and stops. */
export async function startTracing({ app, endpoint, logger }: TracingOptions): Promise<() => Promise<void>> {
  if (endpoint === undefined || endpoint === '') return async () => {};
  const { openTracing } = await import('./tracing-sdk.ts');
  let lost = 0;
  let reportedAt = 0;
  const shutdown = openTracing({
    app,
    endpoint,
    onLost(spans, reason) {
      lost += spans;
      if (Date.now() - reportedAt < LOG_EVERY_MS) return;
      logger?.warn({ count: lost, reason }, 'spans could not be sent to the collector');
      [lost, reportedAt] = [0, Date.now()];
    },
  });
  enabled = true;
  return async () => {
    enabled = false;
    await shutdown();
  };
}

/** The W3C traceparent of the running span, to be stored with an event or a job; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  if (!enabled) return undefined;
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** For the log lines that are written within a span; nothing without one. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = enabled ? trace.getActiveSpan()?.spanContext() : undefined;
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

export interface SpanOptions {
  /**
   * The traceparent that was stored with the work, which this span continues; null: none was stored, so it begins a trace of its
   * own, whatever happens to run around it. Left out: the running span.
   */
  parent?: string | null;
  /** Traceparents that this span has to do with without being part of them (a replay and its original): it begins a trace of its own. */
  links?: string[];
  /** client: it waits for somebody else's answer. */
  kind?: 'internal' | 'client';
}

/** Runs `work` inside a span; its failure marks the span. Attributes that are not on the list are left out. Costs nothing without tracing. */
export async function withSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  if (!enabled) return work();
  const links = (options.links ?? []).map(linkOf).filter((link) => link !== undefined);
  const parent = links.length > 0 ? ROOT_CONTEXT : parentOf(options.parent);
  const kind = options.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  const span = trace
    .getTracer(TRACER)
    .startSpan(name, { attributes: allowedAttributes(attributes), links, kind }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
    throw error;
  } finally {
    span.end();
  }
}

/** Says more about the running span; `failed` marks it. Attributes that are not on the list are left out. */
export function annotateSpan(attributes: Attributes, { failed = false }: { failed?: boolean } = {}): void {
  if (!enabled) return;
  const span = trace.getActiveSpan();
  span?.setAttributes(allowedAttributes(attributes));
  if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
}

/** The span of a request, ended by its server. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs what belongs to the request. */
  run(work: () => void): void;
  end(status: number): void;
}

/** Begins the span of a request: `POST /v1/signatures`, by the route's template. A traceparent that the caller sent is continued. */
export function beginRequestSpan(method: string, template: string, traceparent?: string): RequestSpan {
  const parent = parentOf(traceparent ?? null);
  const attributes = { 'http.request.method': method, 'http.route': template };
  const span: Span = trace
    .getTracer(TRACER)
    .startSpan(`${method} ${template}`, { attributes, kind: SpanKind.SERVER }, parent);
  const running = trace.setSpan(parent, span);
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(running, work),
    end(status) {
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function parentOf(stored: string | null | undefined): Context {
  if (stored === undefined) return context.active();
  return stored === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: stored });
}

function linkOf(traceparent: string): Link | undefined {
  const linked = trace.getSpanContext(parentOf(traceparent));
  return linked === undefined ? undefined : { context: linked };
}
