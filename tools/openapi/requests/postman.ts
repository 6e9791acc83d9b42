/** A Postman collection, format 2.1: a folder for each host, in it one for each tag. */
import type { ApiDocument } from '../complete.ts';
import { GENERATED, type Parameter } from '../described.ts';
import type { Schemas } from './example.ts';
import { type ExampleRequest, exampleParameter, fileFor, hostVariable, placeholderHost, requestsOf, TOKENS } from './request.ts'; // prettier-ignore

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function postmanCollection(documents: Map<string, ApiDocument>): string {
  const hosts = [...documents.keys()];
  const collection = {
    info: {
      name: 'Constancia',
      description: `${GENERATED} Set the variables of the hosts and api_key.`,
      schema: SCHEMA,
    },
    auth: apiKey(),
    variable: [
      ...hosts.map((name) => ({ key: hostVariable(name), value: placeholderHost(name), type: 'string' })),
      ...['api_key', ...TOKENS].map((key) => ({ key, value: '', type: 'string' })),
    ],
    item: [...documents].map(([name, document]) => hostFolder(name, document)),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function hostFolder(name: string, document: ApiDocument) {
  const schemas = document.components.schemas as Schemas;
  const requests = requestsOf(document);
  const used = document.tags.filter((tag) => requests.some(({ operation }) => operation.tag === tag.name));
  return {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    item: used.map((tag) => ({
      name: tag.name,
      description: tag.description,
      item: requests.filter(({ operation }) => operation.tag === tag.name).map((one) => itemOf(name, one, schemas)),
    })),
  };
}

function itemOf(host: string, request: ExampleRequest, schemas: Schemas) {
  const { operation, query, headers, body, credential } = request;
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const path = operation.path.replace(/\{([^}]+)\}/g, ':$1');
  const search = query.filter(({ required }) => required).map((one) => `${one.name}=${exampleParameter(one, schemas)}`);
  return {
    name: operation.summary,
    request: {
      method: operation.method,
      description: operation.description,
      ...(credential !== 'api_key' && { auth: credential ? bearer(credential) : { type: 'noauth' } }),
      header: [
        ...headers.map((one) => pair(one, schemas, one.name !== 'Idempotency-Key')),
        ...(body ? [{ key: 'Content-Type', value: body.mediaType }] : []),
      ],
      ...(body && { body: bodyOf(body) }),
      url: {
        raw: `{{${hostVariable(host)}}}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`,
        host: [`{{${hostVariable(host)}}}`],
        path: path.split('/').slice(1),
        ...(query.length > 0 && { query: query.map((one) => pair(one, schemas)) }),
        ...(inPath.length > 0 && { variable: inPath.map(({ name, ...one }) => ({ key: name, value: exampleParameter({ name, ...one }, schemas) })) }), // prettier-ignore
      },
    },
    response: [],
  };
}

/** Optional parameters are there, switched off. */
function pair(parameter: Parameter, schemas: Schemas, optional = true) {
  return {
    key: parameter.name,
    value: exampleParameter(parameter, schemas),
    ...(parameter.description && { description: parameter.description }),
    ...(optional && !parameter.required && { disabled: true }),
  };
}

function bodyOf({ mediaType, json }: NonNullable<ExampleRequest['body']>) {
  if (json === undefined) return { mode: 'file', file: { src: fileFor(mediaType) } };
  return { mode: 'raw', raw: JSON.stringify(json, null, 2), options: { raw: { language: 'json' } } };
}

function apiKey() {
  const attributes = { key: 'X-API-Key', value: '{{api_key}}', in: 'header' };
  return { type: 'apikey', apikey: Object.entries(attributes).map(([key, value]) => ({ key, value, type: 'string' })) };
}

function bearer(variable: string) {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] };
}
