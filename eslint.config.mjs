import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Which packages only one library may import (design: architecture, section 1). */
const OWNED = {
  bullmq: ['libs/queue/**'],
  ioredis: ['libs/queue/**', 'libs/rate-limit/**'],
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

/** What everything may stand on: pure functions, tables of constants, and the start of bounded child processes. */
const LOWEST = ['type:kernel', 'type:reference-data', 'type:child-process'];

/** Which kinds of libraries each kind may import (design: architecture, section 1). */
const DEPENDENCIES = [
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: ['type:kit', 'type:engine', 'type:contracts', ...LOWEST],
  },
  // What runs in a browser: pure code, and of the client its generated types.
  {
    sourceTag: 'type:web',
    onlyDependOnLibsWithTags: ['type:contracts', 'type:kernel', 'type:reference-data', 'type:sdk'],
  },
  { sourceTag: 'type:kit', onlyDependOnLibsWithTags: ['type:kit', 'type:contracts', ...LOWEST] },
  { sourceTag: 'type:engine', onlyDependOnLibsWithTags: LOWEST },
  { sourceTag: 'type:contracts', onlyDependOnLibsWithTags: ['type:kernel', 'type:reference-data'] },
  { sourceTag: 'type:reference-data', onlyDependOnLibsWithTags: ['type:kernel'] },
  { sourceTag: 'type:child-process', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:kernel', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:sdk', onlyDependOnLibsWithTags: ['type:kernel', 'type:reference-data', 'type:contracts'] },
  { sourceTag: 'type:test', onlyDependOnLibsWithTags: ['*'] },
];

/** What tests of several projects share, and fixtures may import: where ../shared is, and tools/test. */
const SHARED_BY_TESTS = ['@constancia/testing/shared-folder', String.raw`^(\.\./)+tools/test/[a-z-]+\.ts$`];

const boundaries = ({ allow }) => [
  'error',
  { enforceBuildableLibDependency: false, allow, depConstraints: DEPENDENCIES },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.local/**', '.nx/**', 'libs/sdk/src/generated/**', 'docs/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'max-depth': ['error', 4],
      complexity: ['error', 16],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Name what you export.' },
        { selector: 'ExportAllDeclaration', message: 'Name what you export.' },
      ],
      'no-restricted-imports': ['error', { patterns: owned }],
      '@nx/enforce-module-boundaries': boundaries({ allow: [] }),
    },
  },
  ...Object.values(OWNED)
    .flat()
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .map((folder) => ({
      files: [folder],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: owned.filter((_, index) => !Object.values(OWNED)[index].includes(folder)) },
        ],
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
    files: ['**/*.fixture.ts'],
    rules: { '@nx/enforce-module-boundaries': boundaries({ allow: SHARED_BY_TESTS }) },
  },
  {
    // Tests may use the testing kit, raw clients and other apps' public surface over HTTP.
    files: ['**/*.spec.ts', 'libs/testing/**/*.ts', 'tools/**/*.ts', 'apps/signer-web/{dev,e2e}/**/*.ts'],
    rules: {
      'no-restricted-imports': 'off',
      '@nx/enforce-module-boundaries': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
    },
  },
  // A migration that was released is never changed.
  { files: ['apps/*/src/**/migrations/*.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['vitest.config.ts', 'eslint.config.mjs', '**/vite.config.mjs', '**/*.d.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.mjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
