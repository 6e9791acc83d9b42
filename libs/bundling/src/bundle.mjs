import { isBuiltin } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { WORKSPACE } from './workspace.mjs';

export { WORKSPACE };

/** Left to node_modules by what runs inside the checkout (tools, test processes): every package but our own libraries. */
export const FROM_NODE_MODULES = /^(?!@constancia\/|@oxc-project\/)[^./\0]/;

/** Optional drivers and adapters that TypeORM, Nest and friends require only when asked to. Never used here. */
const NEVER_LOADED = [
  /^@nestjs\/(microservices|websockets|platform-express|platform-socket\.io|mongoose)(\/|$)/,
  /^(mongodb|mysql2?|sqlite3|better-sqlite3|sql\.js|oracledb|mssql|pg-native|pg-query-stream|redis|hdb-pool|typeorm-aurora-data-api-driver|react-native-sqlite-storage|@google-cloud\/spanner|@sap\/hana-client(\/.*)?|expo-sqlite|@fastify\/(static|view|express|multipart)|@valkey\/valkey-glide|@apollo\/.*|class-transformer\/storage|swagger-ui-dist\/absolute-path\.js|file-type|bufferutil|utf-8-validate|pino-pretty|msgpackr-extract|encoding)$/,
  /^aws-crt$/,
  /^@aws-sdk\/signature-v4-crt$/,
];

/**
 * A plugin that edits a file of a package.
 *
 * @param {string} name
 * @param {RegExp} id which file
 * @param {(code: string) => string} edit
 * @throws Error when the package has changed, so that there is nothing to edit
 */
const edited = (name, id, edit) => ({
  name,
  transform: {
    filter: { id },
    handler(code, file) {
      const changed = edit(code);
      if (changed === code)
        throw new Error(`${path.relative(WORKSPACE, file)} changed: look at libs/bundling/src/bundle.mjs`);
      return { code: changed, map: null };
    },
  },
});

const NO_CRON = `{ parse() { throw new Error('schedules are intervals: cron patterns are not in the bundles (libs/bundling/src/bundle.mjs)'); } }`;

const NO_SCHEMAS = `() => () => () => { throw new Error('schemas of routes are not in the bundles (libs/bundling/src/bundle.mjs)'); }`;

/** Those that oidc-provider answers with. */
const FEW_TYPES = JSON.stringify({
  'application/json': { charset: 'UTF-8', extensions: ['json'] },
  'text/html': { charset: 'UTF-8', extensions: ['html'] },
  'text/plain': { charset: 'UTF-8', extensions: ['txt', 'text'] },
  'application/octet-stream': { extensions: ['bin'] },
});

const EDITS = [
  // TypeORM requires its driver by a computed name, which no bundler can follow: name the one that is used.
  edited('typeorm-loads-pg', /typeorm[\\/]platform[\\/]PlatformTools\.js$/, (code) =>
    code.replace('return require(name);', "return name === 'pg' ? require('pg') : require(name);"),
  ),
  // TypeORM lays out the SQL that it logs, with a formatter of 0.1 MB: nothing is logged here.
  edited('typeorm-formats-no-sql', /typeorm[\\/]platform[\\/]PlatformTools\.js$/, (code) =>
    code.replace('require("@sqltools/formatter")', '{ format: (sql) => sql }'),
  ),
  // TypeORM's factory pulls in a driver for every database there is, a megabyte of them: keep PostgreSQL's.
  edited('typeorm-keeps-postgres', /typeorm[\\/]driver[\\/]DriverFactory\.js$/, (code) =>
    code.replace(/require\("\.\/(?!postgres\/)[a-z0-9-]+\/\w+Driver"\)/g, '{}'),
  ),
  // undici brings a browser's fetch, WebSocket and EventSource, and mocks for tests, half a megabyte of them: here it sends requests.
  edited('undici-sends-requests', /undici[\\/]index\.js$/, (code) =>
    code
      .replace(/require\('\.\/lib\/(?:mock|web|interceptor|cache)\/[^']+'\)/g, '{}')
      .replace('new CacheStorage(kConstruct)', 'undefined'),
  ),
  // undici has its parser of answers twice: for processors with SIMD instructions, and without. Those of the images (amd64, arm64) have them.
  edited('undici-parses-with-simd', /undici[\\/]lib[\\/]dispatcher[\\/]client-h1\.js$/, (code) =>
    code.replaceAll("require('../llhttp/llhttp-wasm.js')", 'undefined'),
  ),
  edited('undici-sends-no-forms', /undici[\\/]lib[\\/]dispatcher[\\/]client-h[12]\.js$/, (code) =>
    code.replace("require('../web/fetch/body.js')", '{}'),
  ),
  // Nest's Swagger module writes YAML when it serves a document, 0.1 MB: what is served here was written at build time.
  edited('swagger-writes-no-yaml', /@nestjs[\\/]swagger[\\/]dist[\\/]swagger-module\.js$/, (code) =>
    code.replace("import * as jsyaml from 'js-yaml';", 'const jsyaml = {};'),
  ),
  // BullMQ parses cron patterns with a library of 0.4 MB: schedules here are intervals, which the type HintQueue (libs/queue) enforces.
  edited('bullmq-parses-no-cron', /bullmq[\\/]dist[\\/](cjs|esm)[\\/]classes[\\/]job-scheduler\.js$/, (code) =>
    code
      .replace('require("cron-parser")', `{ CronExpressionParser: ${NO_CRON} }`)
      .replace("import { CronExpressionParser } from 'cron-parser';", `const CronExpressionParser = ${NO_CRON};`),
  ),
  // BullMQ wraps three more clients of Redis, 0.1 MB: the one that is used is ioredis.
  edited(
    'bullmq-connects-with-ioredis',
    /bullmq[\\/]dist[\\/]cjs[\\/]classes[\\/](?:index|redis-connection)\.js$/,
    (code) => code.replace(/require\("\.\/(?:node-redis|bun-redis|valkey-glide)-client"\)/g, '{}'),
  ),
  // Fastify compiles JSON schemas of routes with libraries of 0.5 MB: Nest's routes have none, bodies are checked by class-validator.
  edited('fastify-compiles-no-schemas', /fastify[\\/]lib[\\/]schema-controller\.js$/, (code) =>
    code
      .replace("require('@fastify/ajv-compiler')", NO_SCHEMAS)
      .replace("require('@fastify/fast-json-stringify-compiler')", NO_SCHEMAS),
  ),
  // class-validator brings the plan of every country's telephone numbers, 0.2 MB, for a decorator that nobody uses here.
  edited(
    'validator-knows-no-phones',
    /class-validator[\\/]cjs[\\/]decorator[\\/]string[\\/]IsPhoneNumber\.js$/,
    (code) => code.replace('require("libphonenumber-js/max")', '{}'),
  ),
  // Nest's OmitType and its kind ask node_modules for class-validator and class-transformer: there are none beside a bundle, and in a
  // checkout it would be second copies, 0.2 s of start-up. They get the bundle's own, so that a derived class has its parent's rules, and
  // the types of its parent's members, everywhere.
  edited('mapped-types-use-own-copies', /@nestjs[\\/]mapped-types[\\/]dist[\\/]type-helpers\.utils\.js$/, (code) =>
    code
      .replace(
        'const require = createRequire(import.meta.url);',
        `import * as validator from 'class-validator';
           import * as transformer from 'class-transformer';
           import * as storage from 'class-transformer/cjs/storage';
           const copies = { 'class-validator': validator, 'class-transformer': transformer, 'class-transformer/cjs/storage': storage };
           const provided = (name) => {
             if (Object.hasOwn(copies, name)) return copies[name];
             throw new Error(name + ' is not in the bundles (libs/bundling/src/bundle.mjs)');
           };`,
      )
      .replaceAll("require('class-", "provided('class-"),
  ),
  // oidc-provider warns at start on Node 20, which it works on (ADR 0200); a program that migrates prints nothing else.
  edited('oidc-provider-warns-of-nothing', /oidc-provider[\\/]lib[\\/]index\.js$/, (code) =>
    code.replace("attention.warn('Unsupported runtime. Use Node.js v22.x LTS, or a later LTS release.');", ''),
  ),
  // Mails have no attachments, and go to a server that is named by its address: no media types, no list of mail services, 0.1 MB.
  edited(
    'nodemailer-knows-no-types',
    /nodemailer[\\/]dist[\\/](?:cjs|esm)[\\/]mime-funcs[\\/]mime-types\.js$/,
    (code) => code.replace(/new Map\(\[[\s\S]*?\n\]\)/g, 'new Map()'),
  ),
  edited(
    'nodemailer-knows-no-services',
    /nodemailer[\\/]dist[\\/](?:cjs|esm)[\\/]well-known[\\/]services\.js$/,
    (code) => code.replace(/services = \{[\s\S]*\n\};/, 'services = {};'),
  ),
  // oidc-provider and koa bring the list of all media types, twice 0.2 MB, to write four of them.
  edited('koa-knows-few-types', /mime-types[\\/]index\.js$/, (code) => code.replace("require('mime-db')", FEW_TYPES)),
];

/** The SQL of migrations needs its lines, and not their indentation: 30 kB of the platform. */
const migrationsUnindented = {
  name: 'migrations-unindented',
  transform: {
    filter: { id: /[\\/]apps[\\/].*[\\/]migrations[\\/]/ },
    handler: (code) => ({ code: code.replace(/\n +/g, '\n'), map: null }),
  },
};

/** What a bundle still asks for at run time, besides Node's own modules and what is never loaded. */
function leftovers(chunks, external) {
  const allowed = (name) =>
    isBuiltin(name) ||
    name.startsWith('node:') ||
    [...NEVER_LOADED, ...external].some((pattern) => (pattern.test ? pattern.test(name) : pattern === name));
  const own = new Set(chunks.map((chunk) => chunk.fileName));
  const asked = chunks.flatMap((chunk) => [
    ...chunk.imports,
    ...chunk.dynamicImports,
    ...[...chunk.code.matchAll(/\b(?:__require|require\$\d+)\(["'`]([^"'`./][^"'`]*)["'`]\)/g)].map(([, name]) => name),
  ]);
  return [...new Set(asked)].filter((name) => !own.has(name) && !allowed(name));
}

/**
 * Bundles entries and all their dependencies into `outDir`, so that they start from an empty folder.
 * Decorator metadata comes from tsconfig.base.json; the same transformer serves the tests.
 *
 * @param {{ entries: Record<string, string>, outDir: string, external?: (string | RegExp)[], lean?: boolean, compact?: boolean }} options
 *   external: modules that the caller finds by itself at run time; lean: takes longer, leaves dead code out and shortens local names; compact:
 *   leaves white space out too, for programs that print nothing
 * @throws Error naming every module that the bundle would not find
 */
export async function bundle({ entries, outDir, external = [], lean = false, compact = false }) {
  const build = await rolldown({
    input: entries,
    platform: 'node',
    cwd: WORKSPACE,
    tsconfig: path.join(WORKSPACE, 'tsconfig.base.json'),
    external: [...NEVER_LOADED, ...external],
    logLevel: 'silent',
    checks: { circularDependency: false },
    plugins: [...EDITS, ...(compact ? [migrationsUnindented] : [])],
  });
  try {
    const { output } = await build.write({
      dir: outDir,
      format: 'esm',
      sourcemap: true,
      // Lines as written: Node prints the whole line when it dies. Names of functions and classes as written: stacks name them, and Nest and
      // TypeORM read class names at run time.
      // A tool may hold the migrations of several modules: TypeORM goes by the names of their classes, and two may have the same.
      keepNames: !lean,
      minify: lean && {
        compress: { keepNames: { function: true, class: true } },
        mangle: { keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: compact },
      },
      comments: false,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      banner:
        "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    });
    const chunks = output.filter((item) => item.type === 'chunk');
    const missing = leftovers(chunks, external);
    if (missing.length > 0) throw new Error(`not bundled into ${path.basename(outDir)}: ${missing.join(', ')}`);
    return { chunks, bytes: chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk.code), 0) };
  } finally {
    await build.close();
  }
}
