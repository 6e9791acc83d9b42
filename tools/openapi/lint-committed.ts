/** npm run openapi:lint: whether Spectral, with the OWASP rules, finds nothing in the committed docs/api/*.v1.yaml. */
import { readFileSync } from 'node:fs';
import { keepsRules } from './reported.ts';

const files = ['platform', 'compliance', 'signing'].map((name) => `docs/api/${name}.v1.yaml`);
const clean = await keepsRules(files.map((file): [string, string] => [file, readFileSync(file, 'utf8')]));
if (clean) console.log(`${files.length} files, 0 findings of the OpenAPI linter.`);
process.exitCode = clean ? 0 : 1;
