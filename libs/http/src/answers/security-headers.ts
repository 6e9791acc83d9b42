import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import fastify from 'fastify';
import type { PageHostName } from '../routes/hosts.ts';

/**
 * The security headers of an answer that is data, of one that is a page for people, and of one that is a page which shows documents.
 * Names in lower case.
 */
export interface SecurityHeaders {
  data: [string, string][];
  page: [string, string][];
  /** By page host. */
  app: Partial<Record<PageHostName, [string, string][]>>;
}

const NONE = ["'none'"];
const SELF = ["'self'"];

const COMMON = {
  strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
  xFrameOptions: { action: 'deny' as const },
  referrerPolicy: { policy: 'no-referrer' as const },
} satisfies FastifyHelmetOptions;

/** Without the ones that only speak to old browsers about pages: this is data, and every byte of it goes out each time. */
const DATA: FastifyHelmetOptions = {
  ...COMMON,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: NONE, frameAncestors: NONE, baseUri: NONE, formAction: NONE },
  },
};

const PAGE_SOURCES = {
  defaultSrc: NONE,
  scriptSrc: SELF,
  styleSrc: SELF,
  imgSrc: ["'self'", 'data:'],
  fontSrc: SELF,
  connectSrc: SELF,
  frameAncestors: NONE,
  baseUri: NONE,
  formAction: NONE,
};

const PAGE: FastifyHelmetOptions = {
  ...COMMON,
  contentSecurityPolicy: { useDefaults: false, directives: PAGE_SOURCES },
};

/** A viewer of documents works in a worker, and makes pictures and fonts out of what is in the document. */
const app = (apiOrigins: readonly string[]): FastifyHelmetOptions => ({
  ...COMMON,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      ...PAGE_SOURCES,
      connectSrc: [...SELF, ...apiOrigins],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'", 'data:'],
      workerSrc: SELF,
    },
  },
});

/** What the pages of a page host may do: call API hosts, or take pictures. */
interface PageNeeds {
  apiHosts?: Readonly<Record<string, string>>;
  takesPictures?: boolean;
}

/** A page that takes pictures: shows what it took before it is sent, and uses the camera without the microphone. */
const CAMERA: FastifyHelmetOptions = {
  ...COMMON,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { ...PAGE_SOURCES, imgSrc: ["'self'", 'data:', 'blob:'], workerSrc: SELF },
  },
};
const CAMERA_ALONE: [string, string] = ['permissions-policy', 'camera=(self), microphone=(), geolocation=()'];

/**
 * Helmet's headers never vary from answer to answer, so it is asked once, at start, and its answer is put on every reply:
 * running its dozen middlewares on each request costs more than everything else that a hook does here.
 *
 * @param pageHosts whose pages may call their `apiHosts` beside their own origin, and use the camera if they take pictures
 */
export async function securityHeaders(
  pageHosts: Partial<Record<PageHostName, PageNeeds>> = {},
): Promise<SecurityHeaders> {
  // A cache in between does not know that X-API-Key is a credential. Routes with public content set their own.
  const data: [string, string][] = [...(await headersOf(DATA)), ['cache-control', 'no-store']];
  const hosts = Object.entries(pageHosts).map(async ([name, host]) => [name, await headersOfPages(host)] as const);
  return { data, page: await headersOf(PAGE), app: Object.fromEntries(await Promise.all(hosts)) };
}

async function headersOfPages({ apiHosts = {}, takesPictures }: PageNeeds): Promise<[string, string][]> {
  if (takesPictures) return [...(await headersOf(CAMERA)), CAMERA_ALONE];
  return headersOf(app(Object.values(apiHosts).map((address) => new URL(address).origin)));
}

async function headersOf(options: FastifyHelmetOptions): Promise<[string, string][]> {
  const server = fastify();
  await server.register(helmet, options);
  server.get('/', () => '');
  const { headers } = await server.inject('/');
  await server.close();
  const own = new Set(['content-length', 'content-type', 'connection', 'date']);
  return Object.entries(headers).flatMap(([name, value]) =>
    own.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
