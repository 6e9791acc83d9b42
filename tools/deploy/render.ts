/**
 * npm run deploy:render: writes the manifests under deploy/ and docs/slos.md from tools/deploy, and removes what is no longer
 * rendered. With --check it writes nothing and fails when something committed differs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { drift, formattedFiles } from './drift.ts';

const files = await formattedFiles();
const differences = drift(process.cwd(), files);
if (process.argv.includes('--check')) {
  for (const { file, what } of differences) console.error(`${file} ${what}`);
  if (differences.length > 0) {
    console.error('Run "npm run deploy:render" and commit what it writes.');
    process.exitCode = 1;
  }
} else {
  for (const { file, what } of differences) {
    if (what === 'is no longer rendered') fs.rmSync(file);
    else {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, files.get(file) as string);
    }
  }
  console.log(`${files.size} files, ${differences.length} of them changed.`);
}
