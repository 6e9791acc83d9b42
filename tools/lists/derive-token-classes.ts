/**
 * node tools/run.mjs tools/lists/derive-token-classes.ts [folder of lists]: how often words occur in names of OFAC's
 * lists (US Government work, public domain), as the classes of libs/name-screening/src/tokens/ofac-token-classes.ts.
 * Run by hand, never on a refresh: a score must not change because a list did.
 */
import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';
import { parse } from 'csv-parse/sync';
import { nameForms } from '../../libs/name-screening/src/normalise/tokenise.ts';

const FOLDER = process.argv[2] ?? sharedPath('lists') ?? '';
const OUT = path.resolve('libs/name-screening/src/tokens/ofac-token-classes.ts');
/** From so many entries on, by class: very common, common, known. */
const CLASSES = { person: [110, 40, 14], organisation: [60, 22, 8] } as const;

const rows = (file: string) =>
  parse(fs.readFileSync(path.join(FOLDER, file), 'utf8').replaceAll('\u001a', ''), {
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as string[][];

const entries = new Map<string, { person: boolean; names: string[] }>();
const add = (id: string, person: boolean | null, name: string) => {
  const entry = entries.get(id);
  if (entry) entry.names.push(name);
  else if (person !== null) entries.set(id, { person, names: [name] });
};
for (const [id = '', name = '', type = ''] of [
  ...rows('ofac-2021-07/sdn.csv'),
  ...rows('ofac-nonsdn-2025-12/cons_prim.csv'),
])
  add(id, type.trim() === 'individual', name);
for (const file of ['ofac-2021-07/alt.csv', 'ofac-nonsdn-2025-12/cons_alt.csv'])
  for (const [id = '', , , name = ''] of rows(file)) add(id, null, name);

const counts = { person: new Map<string, number>(), organisation: new Map<string, number>() };
for (const { person, names } of entries.values()) {
  const mode = person ? 'person' : 'organisation';
  const words = new Set(
    names
      .flatMap((name) => nameForms(name, mode))
      .flatMap(({ tokens }) => tokens.filter(({ role }) => role === 'word'))
      .map(({ text }) => text),
  );
  for (const word of words) counts[mode].set(word, (counts[mode].get(word) ?? 0) + 1);
}

const block = (mode: 'person' | 'organisation') =>
  CLASSES[mode].map((floor, nth) => {
    const ceiling = nth === 0 ? Infinity : (CLASSES[mode][nth - 1] as number);
    const words = [...counts[mode]].filter(
      ([word, count]) => count >= floor && count < ceiling && /^[a-z]{2,}$/.test(word),
    );
    return `    ${nth + 1}: \`${words
      .map(([word]) => word)
      .sort()
      .join(' ')}\`,`;
  });
fs.writeFileSync(
  OUT,
  [
    "/** Written by tools/lists/derive-token-classes.ts from OFAC's lists (public domain): words by how many entries bear them. */",
    'export const OFAC_TOKEN_CLASSES: Record<"person" | "organisation", Record<1 | 2 | 3, string>> = {',
    '  person: {',
    ...block('person'),
    '  },',
    '  organisation: {',
    ...block('organisation'),
    '  },',
    '};',
    '',
  ].join('\n'),
);
console.log(`${entries.size} entries`);
