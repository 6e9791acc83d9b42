import type { FastifyInstance } from 'fastify';
import { pageLanguage, type PageLanguage } from './problem-texts.ts';
import { sendFile, staticFile } from './static-file.ts';
import type { Reply, Request } from '../request/request-state.ts';

/** A small page for people on the API host, and the files that it loads. */
export interface DocumentPage {
  path: string;
  html: (language: PageLanguage) => string;
  /** By path. */
  files: Record<string, { type: string; text: string }>;
}

export const DOCUMENT_PAGE = { config: { constancia: { public: true, page: 'document' as const } } };

/** Serves the pages, each in the language that the browser asks for. */
export function registerDocumentPages(server: FastifyInstance, pages: readonly DocumentPage[]): void {
  for (const { path, html, files } of pages) {
    for (const url of [path, `${path}/`]) {
      server.get(url, DOCUMENT_PAGE, (request, reply) => sendPage(html, request, reply, 'no-store'));
    }
    for (const [name, { type, text }] of Object.entries(files)) {
      const file = staticFile(Buffer.from(text), type);
      server.get(name, DOCUMENT_PAGE, (request, reply) => sendFile(file, request, reply, 'public, max-age=3600'));
    }
  }
}

/** Answers with a page in the language that the browser asks for. */
export function sendPage(
  html: (language: PageLanguage) => string,
  request: Request,
  reply: Reply,
  cacheControl: string,
): Reply {
  const language = pageLanguage(request.headers['accept-language']);
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('vary', 'Accept-Language')
    .header('cache-control', cacheControl)
    .send(html(language));
}
