/** npm run fuzz: brings the bundles up to date, then runs fuzz.ts beside it with the same arguments. */
import { spawnSync } from 'node:child_process';

for (const command of [
  ['tools/build/build.mjs'],
  ['tools/run.mjs', 'tools/security/fuzz/fuzz.ts', ...process.argv.slice(2)],
]) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
