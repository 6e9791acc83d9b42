import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Which packages only one library may import (design: architecture, section 1). */
const OWNED = {
  bullmq: ['libs/queue/**'],
  ioredis: ['libs/redis/**'],
  pg: ['libs/persistence/**'],
  '@aws-sdk/client-kms': ['libs/kms/**'],
  '@aws-sdk/client-s3': ['libs/storage/**'],
  '@aws-sdk/client-rekognition': ['apps/biometrics-worker/**'],
  '@aws-sdk/client-textract': ['apps/biometrics-worker/**'],
  'pdf-lib': ['libs/pdf-sealing/**'],
};

const owned = Object.entries(OWNED).map(([name, files]) => ({
  group: [name, `${name}/*`],
  message: `${name} is imported only in ${files.join(', ')}.`,
}));

/** What everything may stand on: pure functions, tables of constants, signed tokens, and the start of bounded child processes. */
const LOWEST = ['type:kernel', 'type:reference-data', 'type:signed-jwt', 'type:child-process'];

/** Which kinds of libraries each kind may import (design: architecture, section 1). */
const DEPENDENCIES = [
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: [
      'type:kit',
      'type:http',
      'type:http-feature',
      'type:http-problems',
      'type:engine',
      'type:contracts',
      ...LOWEST,
    ],
  },
  { sourceTag: 'type:worker', onlyDependOnLibsWithTags: ['type:kit', 'type:engine', 'type:contracts', ...LOWEST] },
  // What runs in a browser: pure code, engines that are pure among it, and of the client its generated types.
  {
    sourceTag: 'type:web',
    onlyDependOnLibsWithTags: [
      'type:web-kit',
      'type:operations',
      'type:engine',
      'type:contracts',
      'type:kernel',
      'type:reference-data',
      'type:sdk',
    ],
  },
  { sourceTag: 'type:operations', onlyDependOnLibsWithTags: ['type:contracts', 'type:kernel', 'type:reference-data'] },
  { sourceTag: 'type:web-kit', onlyDependOnLibsWithTags: ['type:contracts', 'type:kernel', 'type:reference-data'] },
  // Kits throw errors of their own, which libs/http maps to HTTP problems. What authenticates HTTP requests implements its interface.
  { sourceTag: 'type:kit', onlyDependOnLibsWithTags: ['type:kit', 'type:http', 'type:contracts', ...LOWEST] },
  { sourceTag: 'type:http', onlyDependOnLibsWithTags: ['type:kit', 'type:http-problems', 'type:contracts', ...LOWEST] },
  // Routes that several APIs serve: like a feature of an app.
  {
    sourceTag: 'type:http-feature',
    onlyDependOnLibsWithTags: [
      'type:kit',
      'type:http',
      'type:http-problems',
      'type:engine',
      'type:contracts',
      ...LOWEST,
    ],
  },
  { sourceTag: 'type:http-problems', onlyDependOnLibsWithTags: ['type:contracts', 'type:kernel'] },
  { sourceTag: 'type:engine', onlyDependOnLibsWithTags: LOWEST },
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:kernel', 'type:reference-data'] },
  { sourceTag: 'type:reference-data', onlyDependOnLibsWithTags: ['type:kernel'] },
  { sourceTag: 'type:signed-jwt', onlyDependOnLibsWithTags: ['type:kernel'] },
  { sourceTag: 'type:child-process', onlyDependOnLibsWithTags: ['type:kernel'] },
  { sourceTag: 'type:kernel', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:sdk', onlyDependOnLibsWithTags: ['type:kernel', 'type:reference-data', 'type:contracts'] },
  { sourceTag: 'type:dev-servers', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:bundling', onlyDependOnLibsWithTags: [] },
  {
    sourceTag: 'type:test',
    onlyDependOnLibsWithTags: [
      'type:test',
      'type:dev-servers',
      'type:bundling',
      'type:kit',
      'type:http',
      'type:contracts',
      ...LOWEST,
    ],
  },
  { sourceTag: 'type:tools', onlyDependOnLibsWithTags: ['*'] },
];

/** Specs and fixtures also import what serves tests alone. Production code never does: no constraint above names these tags. */
const TEST_DEPENDENCIES = DEPENDENCIES.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({
  sourceTag,
  onlyDependOnLibsWithTags: [
    ...onlyDependOnLibsWithTags,
    ...['type:test', 'type:dev-servers', 'type:bundling'],
    ...(sourceTag === 'type:sdk' ? ['type:kit'] : []), // the client verifies what kits sign
  ],
}));

/** Tests, and what only they use. */
const TESTS = ['**/*.{spec,fixture}.ts', 'apps/{signer,person}-web/{dev,e2e}/**/*.ts'];
/** Fixtures of libraries, which tests of other projects share. */
const FIXTURES = String.raw`^(\.\./)+libs/.*\.fixture\.ts$`;
/** What tools start, migrate and measure: apps, and the inner parts of engines, of which the exports show only the whole. */
const MEASURED = String.raw`^(\.\./)+(apps/|libs/(document-reading|name-screening|pdf-sealing)/src/)`;

/** @type {(patterns: object[]) => [level: 'error', options: object]} */
const restrictedImports = (patterns) => ['error', { patterns }];

/** @type {(options?: { allow?: string[], depConstraints?: object[] }) => [level: 'error', options: object]} */
const boundaries = ({ allow = [], depConstraints = DEPENDENCIES } = {}) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow,
    depConstraints,
    // Kits are circular by their tests: libs/testing uses kits, whose specs use it. Files are not: tools/boundaries/cycles.spec.ts.
    ignoredCircularDependencies: [['@constancia/testing', '*']],
  },
];

/** Where types come from: the programs that `npm run typecheck` makes when all is linted at once (LINT_ALL), else that of a file's project. */
const types = process.env.LINT_ALL
  ? { project: ['tsconfig.json', 'apps/{console,*-web}/{,dev/,e2e/}tsconfig.json', 'libs/web/tsconfig.json'] }
  : { projectService: true };

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.local/**', '.nx/**', 'libs/sdk/src/generated/**', 'docs/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { ...types, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'max-depth': ['error', 4],
      complexity: ['error', 16],
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Name what you export.' },
        { selector: 'ExportAllDeclaration', message: 'Name what you export.' },
      ],
      'no-restricted-imports': restrictedImports(owned),
      '@nx/enforce-module-boundaries': boundaries(),
    },
  },
  ...Object.values(OWNED)
    .flat()
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .map((folder) => ({
      files: [folder],
      rules: {
        'no-restricted-imports': restrictedImports(
          owned.filter((_, index) => !Object.values(OWNED)[index].includes(folder)),
        ),
      },
    })),
  {
    // Pure: no file, no process, no network.
    files: ['libs/{kernel,reference-data}/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [...owned, { regex: '^node:(?!(crypto|zlib)$)', message: 'This library is pure.' }] },
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      '@nx/enforce-module-boundaries': boundaries({ allow: [FIXTURES], depConstraints: TEST_DEPENDENCIES }),
    },
  },
  { files: ['tools/**/*.ts'], rules: { '@nx/enforce-module-boundaries': boundaries({ allow: [FIXTURES, MEASURED] }) } },
  {
    // Tests may use raw clients.
    files: [
      '**/*.spec.ts',
      // Fixtures may not, except these two: one makes databases of queues, one makes a PDF.
      'libs/queue/src/queue-stores.fixture.ts',
      'apps/sealing-worker/src/running-sealing-worker.fixture.ts',
      'libs/testing/**/*.ts',
      'tools/**/*.ts',
      'apps/{signer,person}-web/{dev,e2e}/**/*.ts',
    ],
    rules: {
      'no-restricted-imports': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
  // Catalogues are lists without code; a migration that was released is never changed.
  {
    files: [
      '**/*-catalogue.ts',
      '**/*.fixture.ts',
      'libs/name-screening/src/import/country-names.ts',
      'apps/{signer,person}-web/src/text/*.ts',
      'apps/*/src/**/migrations/*.ts',
    ],
    rules: { 'max-lines': 'off' },
  },
  {
    files: ['vitest.config.ts', 'eslint.config.mjs', '**/vite.config.mjs', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.mjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
