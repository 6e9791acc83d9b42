import { once } from 'node:events';
import http, { type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { handleClientErrors, SERVER_OPTIONS, STALLED_MS } from './http-server.ts';
import type { PageHostName } from '../routes/hosts.ts';
import type { ProblemFilter } from '../answers/problem-filter.ts';

/**
 * Another address of an app: another server in front of the same routes, of which it answers only those that say so (hosts). The
 * same limits of time and size, the same answers to what is no request; it drains and closes with the first.
 */
export class PageListener {
  readonly server: Server;

  constructor(app: FastifyInstance, filter: ProblemFilter, host: PageHostName) {
    this.server = http.createServer(SERVER_OPTIONS, (request, response) => {
      request.cameTo = host;
      app.routing(request, response);
    });
    this.server.setTimeout(STALLED_MS);
    handleClientErrors(this.server, app, filter);
    app.addHook('onClose', () => this.close());
  }

  /** Answers the port: the given one, or a free one for 0. Rejects when it is taken. */
  async listen(port: number, host: string): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  private close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
