/**
 * npm run openapi: writes everything that is generated from code and committed: docs/api/*.v1.yaml, the types of libs/sdk and
 * docs/reference. With --check it writes nothing and fails when something committed differs. Either way it fails, and writes nothing,
 * when redocly, or Spectral with the OWASP rules, has something to say against a document.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import prettier from 'prettier';
import ts from 'typescript';
import { stringify } from 'yaml';
import { DOCUMENTED_APPS } from './apps.ts';
import type { ApiDocument } from './complete.ts';
import { GENERATED } from './described.ts';
import { documentOf } from './document.ts';
import { opsDocument } from './ops-document.ts';
import { PYTHON_PACKAGE, pythonFiles } from './python/client.ts';
import { keepsRules } from './reported.ts';
import { environmentPage, eventsPage, predicatesPage, problemsPage } from './reference.ts';
import { requestFiles } from './requests/request-files.ts';

/** Not published: the rules for the interface (headers, limits) do not hold for it. */
const OPERATORS = 'docs/api/ops.v1.yaml';

async function generated(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const documents = new Map<string, ApiDocument>();
  for (const app of DOCUMENTED_APPS) {
    const document = await documentOf(app);
    documents.set(app.name, document);
    files.set(`docs/api/${app.name}.v1.yaml`, yamlOf(document));
    const types = astToString(await openapiTS(document as never, { transform: bytes, defaultNonNullable: false }));
    files.set(`libs/sdk/src/generated/${app.name}.ts`, `// ${GENERATED}\n${types}`);
  }
  files.set(OPERATORS, yamlOf(await opsDocument(DOCUMENTED_APPS)));
  files.set('docs/reference/problems.md', `<!-- ${GENERATED} -->\n\n${problemsPage()}`);
  files.set('docs/reference/environment.md', `<!-- ${GENERATED} -->\n\n${environmentPage()}`);
  files.set('docs/reference/events.md', `<!-- ${GENERATED} -->\n\n${eventsPage()}`);
  files.set('docs/reference/predicates.md', `<!-- ${GENERATED} -->\n\n${predicatesPage()}`);
  for (const [file, text] of files) files.set(file, await formatted(file, text));
  return new Map([...files, ...pythonFiles(documents), ...requestFiles(documents)]);
}

function yamlOf(document: object): string {
  // Readers of YAML 1.1 take a bare off, y or no for a boolean: such texts are quoted.
  return `# ${GENERATED}\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 120, compat: 'yaml-1.1' })}`;
}

/** A binary body is bytes, not a text. */
function bytes(schema: { format?: string }): ts.TypeNode | undefined {
  if (schema.format !== 'binary') return undefined;
  const { factory } = ts;
  return factory.createUnionTypeNode(
    ['Uint8Array', 'Blob'].map((name) => factory.createTypeReferenceNode(factory.createIdentifier(name))),
  );
}

async function formatted(file: string, text: string): Promise<string> {
  if (file.endsWith('.yaml')) return text; // served as it is; docs is outside the formatter's reach
  const options = await prettier.resolveConfig(path.resolve('package.json'));
  return prettier.format(text, { ...options, filepath: file });
}

/** Whether redocly finds nothing to say against the documents; shows what it says when it does. */
function lints(documents: string[]): boolean {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', 'redocly.yaml', '--max-problems', '200', ...documents],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  const clean = status === 0 && !/\b[1-9]\d* warnings?\b/.test(stdout + stderr);
  if (!clean) console.error(stdout, stderr);
  return clean;
}

/** Files of the Python client that an earlier run wrote. */
function generatedPython(): string[] {
  const names = existsSync(PYTHON_PACKAGE) ? readdirSync(PYTHON_PACKAGE, { recursive: true, encoding: 'utf8' }) : [];
  return names
    .map((name) => path.posix.join(PYTHON_PACKAGE, name))
    .filter((file) => file.endsWith('.py') && readFileSync(file, 'utf8').startsWith(`# ${GENERATED}`));
}

async function main(check: boolean): Promise<boolean> {
  const files = await generated();
  const drifted = [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  const outdated = generatedPython().filter((file) => !files.has(file));
  const folder = mkdtempSync(path.join(os.tmpdir(), 'openapi-'));
  try {
    const documents = [...files].filter(([file]) => file.endsWith('.yaml'));
    const written = documents.map(([file, text]) => {
      const copy = path.join(folder, path.basename(file));
      writeFileSync(copy, text);
      return copy;
    });
    if (!lints(written) || !(await keepsRules(documents.filter(([file]) => file !== OPERATORS)))) return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (check) {
    for (const [file] of drifted) console.error(`${file} is not what the code says: run "npm run openapi".`);
    for (const file of outdated) console.error(`${file} describes nothing that there is: run "npm run openapi".`);
    return drifted.length + outdated.length === 0;
  }
  for (const file of outdated) rmSync(file);
  for (const [file, text] of drifted) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote ${file}`);
  }
  return true;
}

process.exitCode = (await main(process.argv.includes('--check'))) ? 0 : 1;
