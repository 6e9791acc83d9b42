import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { eventually } from '@constancia/testing';

/** A span as it arrived, with the process that sent it. Ids in hexadecimal. */
export interface ReceivedSpan {
  app: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  failed: boolean;
}

/** An OTLP/HTTP receiver (JSON, as the exporter sends it) on loopback that keeps every span. */
export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Every body as it came. */
  raw(): string;
  /** The spans of a trace; waits until it has one for each name (two for one that is named twice), and throws after timeoutMs. */
  trace(traceId: string, names: readonly string[], timeoutMs?: number): Promise<ReceivedSpan[]>;
  /** The span with this id, once it is there. */
  span(spanId: string, timeoutMs?: number): Promise<ReceivedSpan>;
  /** From now on requests are taken and never answered. */
  hang(): void;
  close(): Promise<void>;
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes?: KeyValue[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
}

interface OtlpTraces {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const STATUS_ERROR = 2;

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let hanging = false;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (hanging) return;
      if (request.url !== '/v1/traces') return response.writeHead(404).end();
      const bytes = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
      bodies.push(text);
      spans.push(...spansOf(JSON.parse(text) as OtlpTraces));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    raw: () => bodies.join('\n'),
    hang: () => (hanging = true),
    span: (spanId, timeoutMs = 15_000) =>
      eventually(() => {
        const found = spans.find((span) => span.spanId === spanId);
        if (!found) throw new Error(`the span ${spanId} did not arrive`);
        return found;
      }, timeoutMs),
    trace: (traceId, names, timeoutMs = 15_000) =>
      eventually(() => {
        const found = spans.filter((span) => span.traceId === traceId);
        const missing = lacking(names, found);
        if (missing.length === 0) return found;
        const seen = found.map(({ app, name }) => `${app}: ${name}`).join(', ');
        throw new Error(`the trace ${traceId} has no ${missing.join(', ')}; it has ${seen}`);
      }, timeoutMs),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function lacking(names: readonly string[], spans: readonly ReceivedSpan[]): string[] {
  const left = spans.map(({ name }) => name);
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function spansOf({ resourceSpans }: OtlpTraces): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const app = String(plain(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId, attributes = [], links = [], status }) => ({
        ...{ app, name, kind, traceId, spanId },
        parentSpanId: parentSpanId || undefined,
        attributes: plain(attributes),
        links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
        failed: status?.code === STATUS_ERROR,
      })),
    );
  });
}

const plain = (attributes: KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** The span of a trace with this name; throws when there is none. */
export function spanOf(trace: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const found = trace.find((span) => span.name === name);
  if (!found) throw new Error(`no span ${name} among ${trace.map((span) => span.name).join(', ')}`);
  return found;
}

/** The names from a span up to the root of what was received. */
export function ancestry(trace: readonly ReceivedSpan[], span: ReceivedSpan): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent ? ancestry(trace, parent) : [])];
}
