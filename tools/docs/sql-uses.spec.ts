import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';

const ADR = 'docs/decisions/0154-tables-are-entities.md';
/** A table that a statement reads or writes: not a function of the schema, which is followed by a parenthesis. */
const TABLE =
  /\b(?:from|join|into|update)\s+(?:(?:platform|identity|compliance|signing)|\$\{[\w.]*schema\})\.\w+\b(?!\s*\([\s$)])(?!\w*\()/i;
const ENTITY = /@Entity\((?:\{ schema: '(\w+)', name: '(\w+)' \}|'(\w+)')\)/g;

const sources = ['apps', 'libs'].flatMap((root) =>
  fs
    .readdirSync(path.join(WORKSPACE, root), { encoding: 'utf8', recursive: true })
    .map((file) => `${root}/${file}`)
    .filter((file) => /^\w+\/[\w-]+\/src\/.*\.ts$/.test(file) && !file.startsWith('libs/testing/'))
    .filter((file) => !/\/migrations\/|\.(spec|fixture)\.ts$/.test(file))
    .map((file) => ({ file, text: fs.readFileSync(path.join(WORKSPACE, file), 'utf8') })),
);

/** `apps/signing circuits.ts`: files keep their names when they move between the folders of their project. */
const named = (file: string) => `${file.split('/').slice(0, 2).join('/')} ${path.basename(file)}`;

/** `- apps/signing: a.ts, b.ts` below a heading with the reason. */
function listed(text: string): string[] {
  return [...text.matchAll(/^- ((?:apps|libs)\/[\w-]+): (.+)$/gm)].flatMap(([, project, files]) =>
    [...(files as string).matchAll(/[\w.-]+\.ts/g)].map(([file]) => `${project} ${file}`),
  );
}

describe('SQL that names a table', () => {
  const inAdr = listed(fs.readFileSync(path.join(WORKSPACE, ADR), 'utf8'));
  const inSources = sources.filter(({ text }) => TABLE.test(text)).map(({ file }) => named(file));

  it(`is in the files that ${ADR} lists with a reason, and in no other`, () => {
    expect([...new Set(inSources)].sort()).toEqual(inAdr.toSorted());
  });

  it('is distinguished from calls of functions', () => {
    expect(TABLE.test('select * from signing.template t where t.id = $1')).toBe(true);
    expect(TABLE.test('insert into ${this.schema}.idempotency_key as k (tenant_id) values ($1)')).toBe(true);
    expect(TABLE.test('insert into identity.asset (id) values ($1)')).toBe(true);
    expect(TABLE.test('select * from signing.claim_sealings($1, $2)')).toBe(false);
    expect(TABLE.test('select signing.touch_signer_proof($1)')).toBe(false);
  });
});

it('no table has two entities', () => {
  const tables = sources.flatMap(({ file, text }) =>
    [...text.matchAll(ENTITY)].map(([, schema, name, kit]) => (kit ? `${kit} of ${file}` : `${schema}.${name}`)),
  );
  expect(tables.length).toBeGreaterThan(60);
  expect(tables.filter((table, at) => tables.indexOf(table) !== at)).toEqual([]);
});
