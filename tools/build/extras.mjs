/** What stands beside an app's main.js: further entries that it starts as processes, and files that it serves or embeds. */
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from './sources.mjs';

const PDF_CHILD = { 'pdf-child': 'libs/pdf-sealing/src/pdf-child.ts' };
const LIST_THREADS = {
  'list-worker': 'apps/compliance/src/lists/list-worker.ts',
  'concern-worker': 'apps/compliance/src/monitoring/concern-worker.ts',
};
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** @type {Record<string, { children?: Record<string, string>, font?: boolean, api?: string }>} */
const APPS = {
  platform: { api: 'platform' },
  compliance: { api: 'compliance', children: LIST_THREADS },
  signing: { api: 'signing', children: PDF_CHILD, font: true },
  'sealing-worker': { children: PDF_CHILD, font: true },
};

/** Bundle entries of an app beside its main.ts, by output name. */
export function extraEntries(app) {
  const children = Object.entries(APPS[app]?.children ?? {});
  return Object.fromEntries(children.map(([name, entry]) => [name, path.join(WORKSPACE, entry)]));
}

/** Copies the files of an app into its output folder. */
export function layBeside(app, outDir) {
  const { api, font } = APPS[app] ?? {};
  const copy = (from, to) => {
    fs.mkdirSync(path.dirname(path.join(outDir, to)), { recursive: true });
    fs.copyFileSync(path.join(WORKSPACE, from), path.join(outDir, to));
  };
  if (api) {
    const description = `docs/api/${api}.v1.yaml`;
    if (fs.existsSync(path.join(WORKSPACE, description))) copy(description, `api/${api}.v1.yaml`);
    for (const file of SWAGGER) copy(`node_modules/swagger-ui-dist/${file}`, `swagger-ui/${file}`);
  }
  if (font) copy('node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'fonts/DejaVuSans.ttf');
}
