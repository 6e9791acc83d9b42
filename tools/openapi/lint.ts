import path from 'node:path';
import spectral from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import { ruleset } from './lint-rules.ts';

export interface Finding {
  rule: string;
  /** Where it stands in the document, as a JSON Pointer. */
  pointer: string;
  message: string;
}

const FOLDER = path.resolve('docs/api');

/** What Spectral has to say against an OpenAPI document (YAML), named as the committed files are. Every finding counts as an error. */
export async function findingsIn(file: string, yaml: string, definition = ruleset()): Promise<Finding[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset(definition, { source: path.join(FOLDER, 'rules.ts') }));
  const source = path.join(FOLDER, path.basename(file));
  const found = await linter.run(new spectral.Document(yaml, parsers.Yaml, source));
  return found.map(({ code, path: at, message }) => ({ rule: String(code), pointer: pointerOf(at), message }));
}

function pointerOf(at: readonly (string | number)[]): string {
  return at.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
