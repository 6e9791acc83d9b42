import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const WORKSPACE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Optional drivers and adapters that TypeORM, Nest and friends require only when asked to. Never used here. */
const NEVER_LOADED = [
  /^@nestjs\/(microservices|websockets|platform-express|platform-socket\.io|mongoose)(\/|$)/,
  /^(mongodb|mysql2?|sqlite3|better-sqlite3|sql\.js|oracledb|mssql|pg-native|pg-query-stream|redis|hdb-pool|typeorm-aurora-data-api-driver|react-native-sqlite-storage|@google-cloud\/spanner|@sap\/hana-client(\/.*)?|expo-sqlite|@fastify\/(static|view|express)|@apollo\/.*|class-transformer\/storage|file-type|bufferutil|utf-8-validate)$/,
  /^aws-crt$/,
  /^@aws-sdk\/signature-v4-crt$/,
];

/**
 * Bundles one entry and all its dependencies into `outDir`, so that it starts from an empty folder.
 * Decorator metadata comes from tsconfig.base.json; the same transformer serves the tests.
 */
export async function bundle({ entries, outDir, external = [] }) {
  const build = await rolldown({
    input: entries,
    platform: 'node',
    cwd: WORKSPACE,
    tsconfig: path.join(WORKSPACE, 'tsconfig.base.json'),
    external: [...NEVER_LOADED, ...external],
    resolve: { conditionNames: undefined },
    logLevel: 'silent',
    checks: { circularDependency: false },
  });
  try {
    return await build.write({
      dir: outDir,
      format: 'esm',
      sourcemap: true,
      minify: false,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      banner:
        "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    });
  } finally {
    await build.close();
  }
}
