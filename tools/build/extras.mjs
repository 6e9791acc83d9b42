/** What stands beside an app's main.js: further entries that it starts as processes, and files that it serves or embeds. */
import fs from 'node:fs';
import path from 'node:path';
import { PAGES, WORKSPACE } from './sources.mjs';

const PDF_CHILD = { 'pdf-child': 'libs/pdf-sealing/src/pdf-child.ts' };
const LIST_THREADS = {
  'list-worker': 'apps/compliance/src/lists/list-worker.ts',
  'concern-worker': 'apps/compliance/src/monitoring/concern-worker.ts',
};
const PICTURE_CHILD = { 'picture-child': 'apps/platform/src/identity/uploads/picture-child.ts' };
/** Not a process: loaded with the first statement that is sealed. */
const STATEMENT_PRESS = { 'statement-press': 'apps/platform/src/billing/statements/statement-press.ts' };
const ENGINE_CHILD = { 'engine-child': 'apps/biometrics-worker/src/engines/engine-child.ts' };
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Of face-matching (FaceEngineFiles) and document-reading (READER_WASM), into folders of their own. */
const NETS = {
  models: ['ssd_mobilenetv1_model', 'face_landmark_68_model', 'face_recognition_model'].flatMap((model) =>
    [`${model}-weights_manifest.json`, `${model}.bin`].map((file) => `@vladmandic/face-api/model/${file}`),
  ),
  wasm: ['zxing-wasm/dist/reader/zxing_reader.wasm'],
};

/**
 * packages: those that have native files, which no bundle can hold; they are carried whole.
 *
 * @type {Record<string, { children?: Record<string, string>, font?: boolean, api?: string, packages?: string[], nets?: boolean }>}
 */
const APPS = {
  platform: {
    api: 'platform',
    children: { ...PICTURE_CHILD, ...STATEMENT_PRESS },
    packages: ['sharp'],
    font: true,
  },
  'biometrics-worker': { children: ENGINE_CHILD, packages: ['sharp'], nets: true },
  compliance: { api: 'compliance', children: { ...LIST_THREADS, ...PDF_CHILD }, font: true },
  signing: { api: 'signing', children: PDF_CHILD, font: true },
  'sealing-worker': { children: PDF_CHILD, font: true },
};

/** Bundle entries of an app beside its main.ts, by output name. */
export function extraEntries(app) {
  const children = Object.entries(APPS[app]?.children ?? {});
  return Object.fromEntries(children.map(([name, entry]) => [name, path.join(WORKSPACE, entry)]));
}

/**
 * What one child's program is made of: its source, and the packages that it finds in node_modules when it runs in the repository.
 *
 * @param {string} name
 * @returns {{ entry: string, external: RegExp[] }}
 */
export function childEntry(name) {
  const app = Object.keys(APPS).find((each) => Object.hasOwn(APPS[each].children ?? {}, name));
  if (app === undefined) throw new Error(`${name} is no child of any app (tools/build/extras.mjs)`);
  return { entry: APPS[app].children[name], external: carriedPackages(app) };
}

/** Packages that an app's bundles ask for by name, since they lie beside it. */
export function carriedPackages(app) {
  return (APPS[app]?.packages ?? []).map((name) => new RegExp(`^${name}$`));
}

/** A package and all that it needs at run time and that is installed here: of several platforms' natives, this one's. */
function withDependencies(name, known = new Set()) {
  const manifest = path.join(WORKSPACE, 'node_modules', name, 'package.json');
  if (known.has(name) || !fs.existsSync(manifest)) return known;
  known.add(name);
  const { dependencies, optionalDependencies } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) withDependencies(needed, known);
  return known;
}

/** Copies the files of an app into its output folder. */
export function layBeside(app, outDir) {
  const { api, font, packages = [], nets } = APPS[app] ?? {};
  const copy = (from, to) => {
    fs.mkdirSync(path.dirname(path.join(outDir, to)), { recursive: true });
    fs.copyFileSync(path.join(WORKSPACE, from), path.join(outDir, to));
  };
  if (api) {
    const description = `docs/api/${api}.v1.yaml`;
    if (fs.existsSync(path.join(WORKSPACE, description))) copy(description, `api/${api}.v1.yaml`);
    for (const file of SWAGGER) copy(`node_modules/swagger-ui-dist/${file}`, `swagger-ui/${file}`);
  }
  for (const name of new Set(packages.flatMap((each) => [...withDependencies(each)]))) {
    const from = path.join(WORKSPACE, 'node_modules', name);
    fs.cpSync(from, path.join(outDir, 'node_modules', name), { recursive: true, dereference: true });
  }
  if (nets) {
    for (const [folder, files] of Object.entries(NETS))
      for (const file of files) copy(`node_modules/${file}`, `${folder}/${path.basename(file)}`);
  }
  for (const [folder, { beside }] of Object.entries(PAGES).filter(([, { servedBy }]) => servedBy.includes(app)))
    fs.cpSync(path.join(WORKSPACE, 'dist', folder), path.join(outDir, beside), {
      recursive: true,
      filter: (from) => path.basename(from) !== '.stamp',
    });
  if (font) copy('node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf', 'fonts/DejaVuSans.ttf');
}
