/**
 * npm run release:record -- <commit or tag>: makes that release the previous one. Builds it, lets its own migrations make its
 * schemas in a database of their own, and writes tools/release/previous-release.json.
 */
import fs from 'node:fs';
import { prepareDatabase, startCluster, TEST_PASSWORD } from '@constancia/testing';
import { urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import pg from 'pg';
import { format, resolveConfig } from 'prettier';
import { commitOf } from './history.ts';
import { bundlesOf, migrateWith, type PreviousRelease, RECORD } from './previous-release.ts';
import { readContract } from './schema-contract.ts';

const revision = process.argv[2];
if (revision === undefined) throw new Error('say which commit or tag was released: npm run release:record -- v1.2.0');
const commit = commitOf(revision);
const cluster = await startCluster();
try {
  await prepareDatabase(cluster.adminUrl, [], migrateQueue);
  migrateWith(bundlesOf(commit), (role) => urlFor(cluster.adminUrl, role, TEST_PASSWORD));
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  const release: PreviousRelease = { commit, contract: await readContract(client) };
  await client.end();
  const text = await format(JSON.stringify(release), { ...(await resolveConfig(RECORD)), filepath: RECORD });
  fs.writeFileSync(RECORD, text);
  console.log(`${RECORD}: ${commit}`);
} finally {
  await cluster.remove();
}
