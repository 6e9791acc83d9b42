/** docs/api/<app>.http: every operation as a request that an editor sends (VS Code's REST Client and JetBrains' HTTP client). */
import type { ApiDocument } from '../complete.ts';
import { GENERATED } from '../described.ts';
import type { Schemas } from './example.ts';
import {
  type ExampleRequest,
  exampleParameter,
  fileFor,
  hostVariable,
  placeholderHost,
  requestsOf,
} from './request.ts';

export function httpFile(name: string, document: ApiDocument): string {
  const requests = requestsOf(document);
  const schemas = document.components.schemas as Schemas;
  const inPaths = requests.flatMap(({ operation }) => operation.parameters.filter((one) => one.in === 'path'));
  const credentials = requests.flatMap(({ credential }) => credential ?? []);
  const variables = [
    `@${hostVariable(name)} = ${placeholderHost(name)}`,
    ...[...new Set(credentials)].map((credential) => `@${credential} =`),
    ...[...new Map(inPaths.map((parameter) => [parameter.name, parameter])).values()].map(
      (parameter) => `@${parameter.name} = ${exampleParameter(parameter, schemas)}`,
    ),
  ];
  const blocks = requests.map((request) => block(name, request, schemas));
  return [`# ${GENERATED}`, ...variables, ...blocks.flat(), ''].join('\n');
}

function block(name: string, request: ExampleRequest, schemas: Schemas): string[] {
  const { operation, path, query, headers, credential, body } = request;
  const asked = query.filter(({ required }) => required);
  const search = asked.map((one) => `${one.name}=${encodeURIComponent(exampleParameter(one, schemas))}`).join('&');
  const more = query.filter(({ required }) => !required).map((one) => one.name);
  const sent = headers.filter((one) => one.required || one.name === 'Idempotency-Key');
  return [
    '',
    `### ${operation.tag}: ${operation.summary}`,
    `# @name ${operation.id}`,
    ...(more.length > 0 ? [`# Also in the query: ${more.join(', ')}.`] : []),
    `${operation.method} {{${hostVariable(name)}}}${path}${search && `?${search}`}`,
    ...(credential
      ? [credential === 'api_key' ? 'X-API-Key: {{api_key}}' : `Authorization: Bearer {{${credential}}}`]
      : []),
    ...sent.map((one) => `${one.name}: ${exampleParameter(one, schemas)}`),
    ...(body ? [`Content-Type: ${body.mediaType}`, '', content(body)] : []),
  ];
}

function content(body: NonNullable<ExampleRequest['body']>): string {
  return body.json === undefined ? `< ${fileFor(body.mediaType)}` : JSON.stringify(body.json, null, 2);
}
