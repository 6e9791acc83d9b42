import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '@constancia/problem-json';
import { escapeHtml } from '@constancia/kernel';
import { DOCUMENT_PAGE } from './document-pages.ts';
import { sendFile, staticFile, type StaticFile } from './static-file.ts';

const PUBLIC = { config: { constancia: { public: true } } };

/** The files of swagger-ui-dist that the page loads, and their types. */
const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

export interface ApiDocsOptions {
  /** As in /api/<name>.v1.yaml. */
  name: string;
  file: string;
  /** Folder that has swagger-ui/; left out: beside the program, else node_modules. */
  assetsDir?: string;
}

/**
 * /api/<name>.v1.yaml: the committed file, byte for byte. /docs: the same for people, drawn by Swagger UI from files of this
 * origin; no inline script, nothing from elsewhere.
 */
export function registerApiDocs(server: FastifyInstance, { name, file, assetsDir }: ApiDocsOptions): void {
  const document = staticFile(readFileSync(file), 'application/yaml');
  const address = `/api/${name}.v1.yaml`;
  server.get(address, PUBLIC, (request, reply) => sendFile(document, request, reply));

  const page = staticFile(Buffer.from(pageHtml(name)), 'text/html; charset=utf-8');
  const start = staticFile(Buffer.from(startScript(address)), 'text/javascript; charset=utf-8');
  const assets = swaggerAssets(assetsDir);
  for (const url of ['/docs', '/docs/'])
    server.get(url, DOCUMENT_PAGE, (request, reply) => sendFile(page, request, reply));
  server.get<{ Params: { file: string } }>('/docs/:file', DOCUMENT_PAGE, (request, reply) => {
    const wanted = request.params.file === 'start.js' ? start : assets(request.params.file);
    if (wanted === undefined) throw new NotFound();
    return sendFile(wanted, request, reply, 'public, max-age=3600');
  });
}

function pageHtml(name: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Constancia: ${escapeHtml(name)} API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
  </head>
  <body>
    <noscript>This page draws <a href="/api/${escapeHtml(name)}.v1.yaml">the OpenAPI document</a> with JavaScript.</noscript>
    <div id="api"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
}

function startScript(address: string): string {
  return `SwaggerUIBundle({ url: ${JSON.stringify(address)}, dom_id: '#api', deepLinking: true, validatorUrl: null, persistAuthorization: false });\n`;
}

/** Reads the files of Swagger UI once each, when first asked for. */
function swaggerAssets(assetsDir: string | undefined): (name: string) => StaticFile | undefined {
  const folder = swaggerFolders(assetsDir).find((candidate) => existsSync(path.join(candidate, 'swagger-ui.css')));
  const files = new Map<string, StaticFile>();
  return (name) => {
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (type === undefined || folder === undefined) return undefined;
    const known = files.get(name) ?? staticFile(readFileSync(path.join(folder, name)), type);
    files.set(name, known);
    return known;
  };
}

/** Beside the bundle, which may itself be cut into chunks; in the repository, node_modules of any folder above. */
function swaggerFolders(assetsDir: string | undefined): string[] {
  const here = import.meta.dirname;
  const above = here.split(path.sep).map((_, index, parts) => parts.slice(0, index + 1).join(path.sep) || path.sep);
  return [
    ...(assetsDir === undefined ? [] : [path.join(assetsDir, 'swagger-ui')]),
    path.join(here, 'swagger-ui'),
    path.join(here, '../swagger-ui'),
    ...above.reverse().map((folder) => path.join(folder, 'node_modules/swagger-ui-dist')),
  ];
}
