import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { cyclesIn, folderGraph, importGraph } from './import-graph.ts';

describe('the imports of the repository, type imports included', () => {
  const files = importGraph(WORKSPACE, ['apps', 'libs', 'tools']);

  it('have no cycle between files', () => {
    expect(cyclesIn(files)).toEqual([]);
  });

  it('have no cycle between folders that lie side by side', () => {
    expect(cyclesIn(folderGraph(files))).toEqual([]);
  });
});

describe('the check', () => {
  let root = '';
  const SOURCES = {
    'libs/kit/package.json': JSON.stringify({ name: '@constancia/kit', exports: { '.': './src/index.ts' } }),
    'libs/kit/src/index.ts': "export { planted } from './planted.ts';",
    'libs/kit/src/planted.ts':
      "import type { App } from '../../../apps/one/src/app.ts';\nexport const planted = {} as App;",
    'apps/one/src/app.ts':
      "import { planted } from '@constancia/kit';\nimport './flows/flow.ts';\nexport type App = typeof planted;",
    'apps/one/src/flows/flow.ts': "export type Flow = import('../steps/run.ts').Run;\nexport interface Other {}",
    'apps/one/src/steps/run.ts': 'export interface Run {}',
    'apps/one/src/steps/start.ts': "import type { Other } from '../flows/flow.ts';\nexport const start = {} as Other;",
    'apps/one/src/steps/apart.ts': "export * from './run.ts';\n// import '../flows/flow.ts'",
  };

  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'cycles-'));
    for (const [file, text] of Object.entries(SOURCES)) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), text);
    }
  });
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

  it('finds a cycle that a type import closes, through the name of a library', () => {
    const files = importGraph(root, ['apps', 'libs']);
    expect(cyclesIn(files)).toEqual([['apps/one/src/app.ts', 'libs/kit/src/index.ts', 'libs/kit/src/planted.ts']]);
  });

  it('finds folders that import each other although no file does', () => {
    const folders = folderGraph(importGraph(root, ['apps', 'libs']));
    expect(cyclesIn(folders)).toEqual([
      ['apps', 'libs'],
      ['apps/one/src/flows', 'apps/one/src/steps'],
    ]);
  });
});
