import type { ApiDocument } from '../complete.ts';
import { httpFile } from './http-file.ts';
import { postmanCollection } from './postman.ts';

export const POSTMAN_COLLECTION = 'docs/api/constancia.postman_collection.json';

/** Requests to begin with, for Postman and for editors. */
export function requestFiles(documents: Map<string, ApiDocument>): Map<string, string> {
  const http = [...documents].map(([name, document]): [string, string] => [
    `docs/api/${name}.http`,
    httpFile(name, document),
  ]);
  return new Map([...http, [POSTMAN_COLLECTION, postmanCollection(documents)]]);
}
