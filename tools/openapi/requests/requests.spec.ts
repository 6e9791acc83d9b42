import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ApiDocument } from '../complete.ts';
import { describedOperations } from '../described.ts';
import { POSTMAN_COLLECTION, requestFiles } from './request-files.ts';
import { requestsOf } from './request.ts';

const APPS = ['platform', 'compliance', 'signing'];
const documents = new Map(
  APPS.map((app) => [app, parse(readFileSync(`docs/api/${app}.v1.yaml`, 'utf8')) as ApiDocument]),
);
const documentOf = (app: string) => documents.get(app) as ApiDocument;

/** Of the collection's format 2.1, what a collection of ours uses; additional members are refused. */
const TEXT = { type: 'string' };
const object = (required: string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const PAIRS = {
  type: 'array',
  items: object(['key', 'value'], {
    key: TEXT,
    value: TEXT,
    type: { const: 'string' },
    description: TEXT,
    disabled: { const: true },
  }),
};
const AUTH = object(['type'], { type: { enum: ['apikey', 'bearer', 'noauth'] }, apikey: PAIRS, bearer: PAIRS });
const URL = object(['raw', 'host', 'path'], {
  raw: TEXT,
  host: { type: 'array', items: TEXT },
  path: { type: 'array', items: TEXT },
  query: PAIRS,
  variable: PAIRS,
});
const BODY = object(['mode'], {
  mode: { enum: ['raw', 'file'] },
  raw: TEXT,
  file: object(['src'], { src: TEXT }),
  options: object(['raw'], { raw: object(['language'], { language: { const: 'json' } }) }),
});
const REQUEST = object(['method', 'header', 'url'], {
  method: { enum: ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'] },
  description: TEXT,
  auth: AUTH,
  header: PAIRS,
  body: BODY,
  url: URL,
});
const ITEM = object(['name', 'request', 'response'], {
  name: TEXT,
  request: REQUEST,
  response: { type: 'array', maxItems: 0 },
});
const folder = (item: object) => object(['name', 'item'], { name: TEXT, description: TEXT, item: { type: 'array', minItems: 1, items: item } }); // prettier-ignore
const COLLECTION = object(['info', 'item'], {
  info: object(['name', 'schema'], {
    name: TEXT,
    description: TEXT,
    schema: { const: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  }),
  auth: AUTH,
  variable: PAIRS,
  item: { type: 'array', items: folder(folder(ITEM)) },
});

interface Folder<Item> {
  name: string;
  item: Item[];
}
interface PostmanItem {
  request: { method: string; url: { raw: string } };
}

it('the committed files are what the committed descriptions say', () => {
  const different = [...requestFiles(documents)].filter(([file, text]) => readFileSync(file, 'utf8') !== text);
  expect(different.map(([file]) => file)).toEqual([]);
});

describe('the Postman collection', () => {
  const collection = JSON.parse(readFileSync(POSTMAN_COLLECTION, 'utf8')) as Folder<Folder<Folder<PostmanItem>>>;

  it('has the form of a collection 2.1', () => {
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(COLLECTION);
    validate(collection);
    expect(validate.errors).toBeNull();
  });

  it('has each operation of each host once, in the folder of its tag', () => {
    expect(collection.item.map(({ name }) => name.toLowerCase())).toEqual(APPS);
    for (const { name, item } of collection.item) {
      const app = name.toLowerCase();
      const found = item.flatMap((tag) =>
        (tag.item as unknown as PostmanItem[]).map(
          ({ request }) => `${tag.name}: ${request.method} ${request.url.raw.split('?')[0]}`,
        ),
      );
      const expected = describedOperations(documentOf(app)).map(
        ({ tag, method, path }) => `${tag}: ${method} {{${app}_url}}${path.replace(/\{([^}]+)\}/g, ':$1')}`,
      );
      expect(found.sort()).toEqual(expected.sort());
    }
  });
});

describe.each(APPS)('requests of %s', (app) => {
  const document = documentOf(app);
  const requests = requestsOf(document);

  it('have bodies that the API describes', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'document', components: document.components });
    const wrong = requests.flatMap(({ operation, body }) => {
      const schema = operation.body?.content['application/json'];
      if (!schema || !body) return [];
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
      const validate = ajv.compile(JSON.parse(text) as object);
      return validate(body.json) ? [] : [`${operation.id}: ${ajv.errorsText(validate.errors)}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are in the .http file, each by its operationId, and name no variable that is not set there', () => {
    const text = readFileSync(`docs/api/${app}.http`, 'utf8');
    const names = [...text.matchAll(/^# @name (\w+)$/gm)].map(([, name]) => name);
    expect(names).toEqual(requests.map(({ operation }) => operation.id));
    const set = new Set([...text.matchAll(/^@(\w+) =/gm)].map(([, name]) => name));
    const used = new Set([...text.matchAll(/\{\{([\w$]+)\}\}/g)].map(([, name]) => name));
    expect([...used].filter((name) => !set.has(name) && name !== '$guid')).toEqual([]);
  });
});
