import { existsSync } from 'node:fs';
import path from 'node:path';

/** Beside the bundle, which may itself be cut into chunks, or in the repository. */
const FOLDERS = ['api', '../api', '../../../../docs/api'];

/** The committed OpenAPI file of an app; undefined when it is not deployed with it. */
export function openapiFile(name: string): string | undefined {
  return FOLDERS.map((folder) => path.join(import.meta.dirname, folder, `${name}.v1.yaml`)).find(existsSync);
}
