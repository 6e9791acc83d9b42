import type { ProcessConfig } from '@constancia/config';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counter } from 'prom-client';
import type { Metrics } from './metrics.ts';
import { isOpsHost } from './ops-hosts.ts';
import { OpsPageFiles } from './ops-page.ts';
import { Operators } from './operators.ts';
import { failedChecks, type ReadinessChecks } from './readiness.ts';

/** Logs internal errors, whose details operators do not get. */
export interface OpsLogger {
  error(fields: object, message: string): void;
  warn?(fields: object, message: string): void;
}

/** What an operators' API knows of the ops port that it answers on. */
export interface OpsPort {
  operators: Operators;
  /** Whether X-Operator names the caller that uses OPS_TOKEN: on a local stack, never in production. */
  trustsNames: boolean;
  wrongTokens: Counter;
  logger?: OpsLogger | undefined;
  /** The process's name, for GET /ops. */
  module?: string | undefined;
}

/** Makes what answers the requests of operators on a port; false: the path is none of the operators' API. */
export type OpsApi = (port: OpsPort) => (request: IncomingMessage, response: ServerResponse) => boolean;

export interface OpsServerOptions {
  /** 0 takes a free port. */
  port: number;
  host?: string;
  readiness: ReadinessChecks;
  /** What /readyz returns in addition to `status: ok`. */
  readinessDetails?: (() => Promise<Record<string, unknown>>) | undefined;
  metrics: Metrics;
  /** The operators' API of the process; without it there is only looking. */
  api?: OpsApi | undefined;
  /** OPS_TOKEN, and OPS_TOKENS_FILE, which wins. Without either there is no operators' API. */
  token?: string | undefined;
  tokensFile?: string | undefined;
  /** OPS_HOSTS: further host names of the ops port. */
  hosts?: readonly string[];
  /** Whether X-Operator names the caller that uses OPS_TOKEN; default: yes. */
  trustsNames?: boolean;
  /** The folder of the operators' page, which is served without the token, but only where there is one. */
  page?: string | undefined;
  /** The process's name, for GET /ops. */
  name?: string | undefined;
  logger?: OpsLogger | undefined;
}

/** The server of a process for its operators: /metrics, /livez, /readyz, and the operators' API. Never on a public address. */
export interface OpsServer {
  port: number;
  /** From here on /readyz answers 503: the process is going away. */
  draining(): void;
  close(): Promise<void>;
}

/** Starts the ops server of a process. */
export async function opsServer({
  port,
  host = '127.0.0.1',
  readiness,
  readinessDetails,
  metrics,
  api,
  token,
  tokensFile,
  hosts = [],
  trustsNames = true,
  page,
  name,
  logger,
}: OpsServerOptions): Promise<OpsServer> {
  let draining = false;
  const operators = new Operators({ token, tokensFile, logger });
  const wrongTokens = metrics.counter('ops_wrong_tokens_total', 'Wrong tokens on the ops port');
  const operatorsApi = operators.any && api?.({ operators, trustsNames, wrongTokens, logger, module: name });
  const files = new OpsPageFiles(operators.any ? page : undefined);
  // An operator may send a file of a hundred megabytes.
  const requestTimeout = operatorsApi ? 10 * 60_000 : 10_000;
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout, keepAliveTimeout: 65_000, connectionsCheckingInterval: 500 },
    (request, response) => {
      const url = addressOf(request);
      if (url === undefined) return answer(response, 400, 'no address\n');
      if (!isOpsHost(request.headers.host, hosts)) return answer(response, 421, WRONG_HOST);
      if (files.answer(request, url.pathname, response)) return;
      if (operatorsApi && operatorsApi(request, response)) return;
      look(request, response);
    },
  );
  const look = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(response, 405, 'method not allowed\n');
    if (path === '/livez') return answer(response, 200, '{"status":"ok"}', 'application/json');
    if (path === '/readyz') return void ready(response, draining ? { draining: unready } : readiness, readinessDetails);
    if (path === '/metrics') return void scrape(response, metrics);
    return answer(response, 404, 'not found\n');
  };
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    draining: () => {
      draining = true;
    },
    close: () => closed(server),
  };
}

/** Where a request goes; undefined when its target is no address (`//`). */
function addressOf({ url }: IncomingMessage): URL | undefined {
  return URL.canParse(url ?? '/', 'http://ops') ? new URL(url ?? '/', 'http://ops') : undefined;
}

/** The ops server that the configuration asks for; none when OPS_PORT is 0. */
export async function opsServerOf(
  config: Pick<ProcessConfig, 'environment' | 'opsPort' | 'host' | 'opsToken' | 'opsTokensFile' | 'opsHosts'>,
  parts: Pick<OpsServerOptions, 'readiness' | 'readinessDetails' | 'metrics' | 'api' | 'page' | 'name' | 'logger'>,
): Promise<OpsServer | undefined> {
  const { opsPort, host, opsToken, opsTokensFile, opsHosts, environment } = config;
  if (opsPort === 0) return undefined;
  return opsServer({
    port: opsPort,
    host,
    ...parts,
    token: opsToken,
    tokensFile: opsTokensFile,
    hosts: opsHosts,
    trustsNames: environment !== 'production',
  });
}

const WRONG_HOST =
  'This host name is not one of the ops port: use its address or localhost, or add the name to OPS_HOSTS.\n';

const unready = () => Promise.reject(new Error('draining'));

async function ready(
  response: ServerResponse,
  checks: ReadinessChecks,
  readinessDetails: OpsServerOptions['readinessDetails'],
): Promise<void> {
  const failed = await failedChecks(checks);
  const details = failed.length === 0 ? await readinessDetails?.().catch(() => undefined) : undefined;
  const body = failed.length === 0 ? { status: 'ok', ...details } : { status: 'unavailable', failed };
  answer(response, failed.length === 0 ? 200 : 503, JSON.stringify(body), 'application/json');
}

async function scrape(response: ServerResponse, metrics: Metrics): Promise<void> {
  try {
    answer(response, 200, await metrics.text(), metrics.registry.contentType);
  } catch {
    answer(response, 500, 'a metric could not be collected\n');
  }
}

function answer(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
