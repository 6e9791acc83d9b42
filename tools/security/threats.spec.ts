import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '../build/sources.mjs';

interface Row {
  threat: string;
  /** `file`: the name of a test in it, in quotes. */
  tests: { file: string; name: string }[];
  /** Quoted names in that cell: as many as tests, else one has no file before it and is not looked up. */
  quoted: number;
}

/** The rows of tables whose last column names tests: in SECURITY.md threat, defence, tests. */
function rowsOf(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('.spec.ts`'))
    .map((line) => {
      const cells = line.split(' | ');
      const tests = [...(cells.at(-1) as string).matchAll(/`([^`]+\.spec\.ts)`: “([^”]+)”/g)];
      return {
        threat: (cells[0] as string).replace('| ', '').trim(),
        tests: tests.map(([, file, name]) => ({ file: file as string, name: name as string })),
        quoted: (cells.at(-1) as string).split('“').length - 1,
      };
    });
}

const rowsIn = (file: string) => rowsOf(fs.readFileSync(path.join(WORKSPACE, file), 'utf8'));
const rows = rowsIn('SECURITY.md');
const traps = rowsIn('docs/decisions/0143-nestjs-bullmq-consumes-the-queues.md');

/** Tests may be named with a variable at the end (`%s`) and with either apostrophe. */
const plain = (name: string) => name.replaceAll('’', "'").replaceAll("\\'", "'");

describe('the threat table', () => {
  it('has a row for each of the OWASP API risks of 2023', () => {
    for (let risk = 1; risk <= 10; risk++) {
      expect(
        rows.some(({ threat }) => threat.startsWith(`API${risk}:`)),
        `API${risk}`,
      ).toBe(true);
    }
    expect(rows.length).toBeGreaterThan(20);
  });

  it('of the queues has a row for each trap', () => expect(traps.length).toBeGreaterThan(8));

  it.each([...rows, ...traps].map((row) => [row.threat, row] as const))(
    'names tests that exist: %s',
    (_, { tests, quoted }) => {
      expect(tests.length).toBeGreaterThan(0);
      expect(tests).toHaveLength(quoted);
      for (const { file, name } of tests) {
        const source = fs.readFileSync(path.join(WORKSPACE, file), 'utf8');
        expect(plain(source), file).toContain(plain(name));
      }
    },
  );

  it('is read with the file of every test; a name without a file is counted', () => {
    expect(rowsOf('| API1: x | y | `a.spec.ts`: “b”, “c” |')).toEqual([
      { threat: 'API1: x', tests: [{ file: 'a.spec.ts', name: 'b' }], quoted: 2 },
    ]);
  });
});
