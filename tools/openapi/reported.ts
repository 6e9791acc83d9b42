import { findingsIn } from './lint.ts';

/** Whether Spectral finds nothing in documents (YAML, by file); shows what it finds, rule and place. */
export async function keepsRules(documents: Iterable<[file: string, yaml: string]>): Promise<boolean> {
  const found: string[] = [];
  for (const [file, yaml] of documents) {
    for (const { rule, pointer, message } of await findingsIn(file, yaml)) {
      found.push(`${file}#${pointer}: ${message} (${rule})`);
    }
  }
  if (found.length > 0) console.error(`${found.join('\n')}\n${found.length} findings of the OpenAPI linter.`);
  return found.length === 0;
}
