/** What stands beside an app's main.js: further entries that it starts as processes, and files that it serves or embeds. */
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from './sources.mjs';

const PDF_CHILD = 'libs/pdf-sealing/src/pdf-child.ts';
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** @type {Record<string, { pdf?: boolean, api?: string }>} */
const APPS = {
  platform: { api: 'platform' },
  compliance: { api: 'compliance' },
  signing: { api: 'signing', pdf: true },
  'sealing-worker': { pdf: true },
};

/** Bundle entries of an app beside its main.ts, by output name. */
export function extraEntries(app) {
  return APPS[app]?.pdf && fs.existsSync(path.join(WORKSPACE, PDF_CHILD))
    ? { 'pdf-child': path.join(WORKSPACE, PDF_CHILD) }
    : {};
}

/** Copies the files of an app into its output folder. */
export function layBeside(app, outDir) {
  const { api, pdf } = APPS[app] ?? {};
  const copy = (from, to) => {
    fs.mkdirSync(path.dirname(path.join(outDir, to)), { recursive: true });
    fs.copyFileSync(path.join(WORKSPACE, from), path.join(outDir, to));
  };
  if (api) {
    const description = `docs/api/${api}.v1.yaml`;
    if (fs.existsSync(path.join(WORKSPACE, description))) copy(description, `api/${api}.v1.yaml`);
    for (const file of SWAGGER) copy(`node_modules/swagger-ui-dist/${file}`, `swagger-ui/${file}`);
  }
  if (pdf) copy('node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'fonts/DejaVuSans.ttf');
}
