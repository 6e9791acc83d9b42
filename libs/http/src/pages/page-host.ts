import type { FastifyInstance } from 'fastify';
import { DependencyUnavailable, NotFound } from '@constancia/problem-json';
import { PageFiles } from './page-files.ts';
import type { Reply, Request } from '../request/request-state.ts';
import type { RouteMarks } from '../routes/route-facts.ts';
import { sendFile } from './static-file.ts';

/** A second address of an app, for people: the files of a built page, and the routes that say AlsoOnPageHost. */
export interface PageHost {
  /** 0: any free port. */
  port: number;
  /** Where the built page may be: the first that has an `index.html` is served. */
  folders: readonly string[];
  /** Route patterns and the file that each answers with: `{'/:token': 'index.html'}`. */
  pages: Record<string, string>;
  /** What the parameters of patterns look like. A page at an address with another value is answered with 404: it shows what it shows
   * for an address that nobody has. */
  parameters?: Readonly<Record<string, RegExp>>;
  /** The page that `/` leads to. */
  home?: string;
  /** API hosts that the pages call, by name: their policy allows these addresses, and GET /hosts.json tells them. */
  apiHosts?: Readonly<Record<string, string>>;
}

/** The names of assets carry a hash of their content, or a version. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

/** The addresses of pages may be credentials: their problems and logs show the pattern. */
const PAGE = { public: true, page: 'app', secretPath: true, hosts: ['page'] } satisfies RouteMarks;
const ASSET = { public: true, page: 'app', hosts: ['page'] } satisfies RouteMarks;

/** The pages of the page host, and below /assets their files. */
export function registerPageHost(server: FastifyInstance, host: PageHost): void {
  const { folders, pages, parameters = {}, home, apiHosts } = host;
  const files = new PageFiles(folders);
  const send = async (name: string, request: Request, reply: Reply, cacheControl: string): Promise<Reply> => {
    const file = await files.find(name, String(request.headers['accept-encoding'] ?? ''));
    if (file === undefined) throw files.present ? new NotFound() : notBuilt();
    reply.header('vary', 'Accept-Encoding');
    if (file.encoding !== undefined) reply.header('content-encoding', file.encoding);
    return sendFile(file, request, reply, cacheControl);
  };
  for (const [pattern, name] of Object.entries(pages)) {
    server.get(pattern, { config: { constancia: PAGE } }, (request, reply) => {
      const given = Object.entries(request.params as Record<string, string>);
      if (given.some(([, value]) => value === '')) throw new NotFound('No such path.');
      if (given.some(([param, value]) => parameters[param]?.test(value) === false)) reply.code(404);
      return send(name, request, reply, 'no-store');
    });
  }
  if (home !== undefined)
    server.get('/', { config: { constancia: ASSET } }, (_request, reply) => reply.redirect(home, 303));
  if (apiHosts !== undefined) {
    server.get('/hosts.json', { config: { constancia: ASSET } }, (_request, reply) =>
      reply.header('cache-control', 'no-store').send(apiHosts),
    );
  }
  server.get<{ Params: { '*': string } }>('/assets/*', { config: { constancia: ASSET } }, (request, reply) =>
    send(`assets/${request.params['*']}`, request, reply, FOR_GOOD),
  );
}

function notBuilt(): DependencyUnavailable {
  return new DependencyUnavailable(
    'The page is not part of this deployment: build it ("npm run build"), then try again.',
  );
}
