import fs from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { renderedFiles } from './rendered-files.ts';

/** Written by people; everything else that ends in .yaml under deploy/ is rendered. */
const BY_HAND = ['deploy/runbooks', 'deploy/values'];

export interface Difference {
  file: string;
  what: 'is not written' | 'differs' | 'is no longer rendered';
}

/** The rendered files as the formatter wants them. */
export async function formattedFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const options = await prettier.resolveConfig(path.resolve('package.json'));
  for (const [file, text] of renderedFiles()) {
    files.set(file, await prettier.format(text, { ...options, filepath: file }));
  }
  return files;
}

/** Where the checkout and the rendered files differ. */
export function drift(root: string, files: ReadonlyMap<string, string>): Difference[] {
  const differences: Difference[] = [];
  for (const [file, text] of files) {
    const full = path.join(root, file);
    if (!fs.existsSync(full)) differences.push({ file, what: 'is not written' });
    else if (fs.readFileSync(full, 'utf8') !== text) differences.push({ file, what: 'differs' });
  }
  for (const file of yamlUnder(root, 'deploy')) {
    if (!files.has(file) && !BY_HAND.some((folder) => file.startsWith(`${folder}/`))) {
      differences.push({ file, what: 'is no longer rendered' });
    }
  }
  return differences;
}

function yamlUnder(root: string, folder: string): string[] {
  if (!fs.existsSync(path.join(root, folder))) return [];
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => path.posix.join(folder, file));
}
