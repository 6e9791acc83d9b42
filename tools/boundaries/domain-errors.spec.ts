import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';

const TABLE = 'libs/http/src/answers/domain-errors.ts';

const sources = ['apps', 'libs'].flatMap((root) =>
  fs
    .readdirSync(path.join(WORKSPACE, root), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(root, file))
    .filter((file) => /\/src\/.*\.ts$/.test(file) && !/node_modules|\.(spec|fixture)\.ts$/.test(file)),
);
const textOf = (file: string) => fs.readFileSync(path.join(WORKSPACE, file), 'utf8');

/** The body of every class of a domain error, with its file. */
const errors = sources.flatMap((file) =>
  [...textOf(file).matchAll(/class (\w+) extends DomainError \{([\s\S]*?)\n\}/g)].map(([, name, body]) => ({
    name: `${file}: ${name}`,
    code: /readonly code = '(\w+)'/.exec(body as string)?.[1],
  })),
);

describe('every domain error of the sources', () => {
  it('has a code, and no other has the same', () => {
    expect(errors.length).toBeGreaterThan(5);
    expect(errors.filter(({ code }) => code === undefined)).toEqual([]);
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
  });

  it('has an answer in the table of libs/http', () => {
    const answered = new Set([...textOf(TABLE).matchAll(/^ {2}(\w+): \(/gm)].map(([, code]) => code));
    expect(errors.filter(({ code }) => !answered.has(code))).toEqual([]);
  });
});
