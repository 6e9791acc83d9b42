import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importGraph } from '../boundaries/import-graph.ts';
import { WORKSPACE } from '@constancia/bundling/workspace';

const HEADING = /^(`[A-Z]+ [^`]+`) from the controller to the commit.*$/;
const FILE = /^\d+\. `([^`]+)`/;

/** The paths of requests in docs/architecture.md: what a heading names, and the files of the list below it. */
function requestPaths(text: string): { request: string; files: string[] }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const request = HEADING.exec(line)?.[1];
    if (request === undefined) return [];
    const list = lines.slice(at + 2);
    const end = list.findIndex((one) => !FILE.test(one));
    return [{ request, files: list.slice(0, end).map((one) => FILE.exec(one)?.[1] as string) }];
  });
}

const graph = importGraph(WORKSPACE, ['apps', 'libs']);
/** Directly, or through the index of a library. */
const imports = (from: string, to: string): boolean =>
  [...(graph.get(from) ?? [])].some((one) => one === to || (one.endsWith('/index.ts') && graph.get(one)?.has(to)));

const paths = requestPaths(fs.readFileSync(path.join(WORKSPACE, 'docs/architecture.md'), 'utf8'));

describe('the paths of requests in docs/architecture.md', () => {
  it('are those of a signature, a session and a screening', () => {
    expect(paths.map(({ request }) => request)).toEqual([
      '`POST /v1/signatures`',
      '`POST …/advance`',
      '`POST /v1/screenings`',
    ]);
  });

  it.each(paths)('$request: every file is there, and imported by one before it', ({ files }) => {
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !graph.has(file))).toEqual([]);
    const unreached = files.slice(1).filter((file, at) => !files.slice(0, at + 1).some((from) => imports(from, file)));
    expect(unreached).toEqual([]);
  });
});
