import type { FastifyInstance } from 'fastify';
import { DependencyUnavailable, NotFound } from '@constancia/problem-json';
import { PageFiles } from './page-files.ts';
import type { Reply, Request } from '../request/request-state.ts';
import { type Host, hostOf, type PageHostName } from '../routes/hosts.ts';
import type { RouteMarks } from '../routes/route-facts.ts';
import { allowFraming } from './allow-framing.ts';
import { sendFile } from './static-file.ts';

/** An address of an app for people: the files of a built page, and the routes that say OnPageHost or AlsoOnPageHost. */
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
  /** The pages use the camera, and call no other origin. */
  takesPictures?: boolean;
}

/** The page hosts of an app. */
export type PageHosts = Partial<Record<PageHostName, PageHost>>;

/** Answers a request to one of the page hosts. */
type Answer = (request: Request, reply: Reply) => Reply | Promise<Reply>;

interface HostedRoute {
  marks: RouteMarks;
  answers: Partial<Record<Host, Answer>>;
}

/** The names of assets carry a hash of their content, or a version. */
const FOR_GOOD = 'public, max-age=31536000, immutable';

const ASSET = { public: true, page: 'app' } satisfies RouteMarks;
/** The addresses of pages may be credentials: their problems and logs show the pattern. */
const PAGE = { ...ASSET, secretPath: true } satisfies RouteMarks;

/** The pages of the page hosts, and below /assets their files. A path that several hosts have is one route: each answers it by itself. */
export function registerPageHosts(server: FastifyInstance, hosts: PageHosts): void {
  const routes = new Map<string, HostedRoute>();
  for (const [name, host] of Object.entries(hosts) as [PageHostName, PageHost][]) {
    for (const { pattern, marks, answer } of routesOf(host)) {
      const route: HostedRoute = routes.get(pattern) ?? { marks, answers: {} };
      route.answers[name] = answer;
      routes.set(pattern, route);
    }
  }
  for (const [pattern, { marks, answers }] of routes) {
    const constancia = { ...marks, hosts: Object.keys(answers) as Host[] };
    server.get(pattern, { config: { constancia } }, (request, reply) => {
      const answer = answers[hostOf(request.raw)];
      if (answer === undefined) throw new NotFound('No such path.');
      return answer(request, reply);
    });
  }
}

function routesOf({ folders, pages, parameters = {}, home, apiHosts }: PageHost) {
  const files = new PageFiles(folders);
  const routes: { pattern: string; marks: RouteMarks; answer: Answer }[] = Object.entries(pages).map(
    ([pattern, name]) => ({
      pattern,
      marks: PAGE,
      answer: (request, reply) => {
        const given = Object.entries(request.params as Record<string, string>);
        if (given.some(([, value]) => value === '')) throw new NotFound('No such path.');
        if (given.some(([param, value]) => parameters[param]?.test(value) === false)) reply.code(404);
        return sendPageFile(files, name, { request, reply, cacheControl: 'no-store' });
      },
    }),
  );
  if (home !== undefined) {
    routes.push({ pattern: '/', marks: ASSET, answer: (_request, reply) => reply.redirect(home, 303) });
  }
  if (apiHosts !== undefined) {
    const answer: Answer = (_request, reply) => reply.header('cache-control', 'no-store').send(apiHosts);
    routes.push({ pattern: '/hosts.json', marks: ASSET, answer });
  }
  const asset: Answer = (request, reply) => {
    const name = `assets/${(request.params as Record<'*', string>)['*']}`;
    return sendPageFile(files, name, { request, reply, cacheControl: FOR_GOOD });
  };
  return [...routes, { pattern: '/assets/*', marks: ASSET, answer: asset }];
}

interface SentFile {
  request: Request;
  reply: Reply;
  cacheControl: string;
  /** Origins whose pages may show this page in a frame; left out: none may. */
  frameAncestors?: readonly string[];
}

/** Answers with a file of a built page. Throws NotFound, or DependencyUnavailable where the page was not built. */
export async function sendPageFile(
  files: PageFiles,
  name: string,
  { request, reply, cacheControl, frameAncestors }: SentFile,
): Promise<Reply> {
  const file = await files.find(name, String(request.headers['accept-encoding'] ?? ''));
  if (file === undefined) throw files.present ? new NotFound() : notBuilt();
  if (frameAncestors !== undefined) allowFraming(reply, frameAncestors);
  reply.header('vary', 'Accept-Encoding');
  if (file.encoding !== undefined) reply.header('content-encoding', file.encoding);
  return sendFile(file, request, reply, cacheControl);
}

function notBuilt(): DependencyUnavailable {
  return new DependencyUnavailable(
    'The page is not part of this deployment: build it ("npm run build"), then try again.',
  );
}
