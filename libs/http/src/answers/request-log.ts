import { performance } from 'node:perf_hooks';
import { requestLines, type Logger, type Metrics } from '@constancia/telemetry';
import { type Reply, type Request, tenantIdOf } from '../request/request-state.ts';

/** One line and one measurement per answered request: by route template, never by path, query, headers or body. */
export class RequestLog {
  private readonly line;
  private readonly duration;

  constructor(app: string, logger: Logger, metrics: Metrics) {
    this.line = requestLines(logger, app);
    this.duration = metrics.histogram(
      'http_request_duration_seconds',
      "Time from the end of a request's headers to the end of its answer",
      ['method', 'route', 'status'],
    );
  }

  write(request: Request, reply: Reply, status: number): void {
    const { constancia: state } = request;
    const { route, startedAt, span } = state;
    state.answered = true;
    const durationMs = performance.now() - startedAt;
    this.duration.observe({ method: route.method, route: route.template, status }, durationMs / 1000);
    span?.end(status);
    if (route.unlimited && status < 400) return; // health probes would be most of the log
    this.line({
      method: request.method,
      route: route.template,
      status,
      durationMs,
      requestId: request.id,
      tenantId: tenantIdOf(state),
      bytes: Number(reply.getHeader('content-length') ?? 0),
      traceId: span?.traceId,
    });
  }
}
