import { pino, type DestinationStream } from 'pino';
import type { Logger } from './logger.ts';
import { isoNow } from './time.ts';

/** What is written of one answered request. Every value is our own or checked: none can hold what must not be logged. */
export interface RequestLine {
  /** An HTTP method, as the parser of Node knows it. */
  method: string;
  /** The route template, not the path. */
  route: string;
  status: number;
  durationMs: number;
  /** `^[A-Za-z0-9_-]{8,64}$`. */
  requestId: string;
  /** UUID. */
  tenantId: string | undefined;
  /** Length of the answer's body as announced; 0 when it was streamed without one. */
  bytes: number;
  /** 32 hexadecimal digits, with tracing. */
  traceId?: string | undefined;
}

const KEY_LIKE = /^(?:live|test|rec|whsec)_/;

/**
 * The writer of request lines. The same lines as `logger.info(…, 'request')` would make, put together by hand: at one line per
 * request the general way, with its filtering of unknown members, was the costliest thing that happened to a request.
 */
export function requestLines(logger: Logger, app: string): (line: RequestLine) => void {
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym] as DestinationStream;
  const begin = `{"level":"info","time":"`;
  const base = `","app":${JSON.stringify(app)},"method":"`;
  const routes = new Map<string, string>();
  return (line) => {
    if (!logger.isLevelEnabled('info')) return;
    let route = routes.get(line.route);
    if (route === undefined) routes.set(line.route, (route = `","route":${JSON.stringify(line.route)},"status":`));
    const duration = Math.round(line.durationMs * 10) / 10;
    const id = KEY_LIKE.test(line.requestId) ? '[hidden]' : line.requestId;
    const tenant = line.tenantId === undefined ? '' : `,"tenant_id":"${line.tenantId}"`;
    const trace = line.traceId === undefined ? '' : `,"trace_id":"${line.traceId}"`;
    stream.write(
      `${begin}${isoNow()}${base}${line.method}${route}${line.status},"duration_ms":${duration},"request_id":"${id}"${tenant}${trace},"bytes":${line.bytes},"msg":"request"}\n`,
    );
  };
}
