/**
 * libs/sdk-python/src/constancia, as far as it is generated: of each host a package with a file for each tag (models, then the
 * operations that use them) and one for what several tags share; the events; the slugs of problems.
 */
import type { ApiDocument } from '../complete.ts';
import {
  GENERATED,
  type DescribedOperation,
  describedOperations,
  reachedSchemas,
  referredName,
  type Schema,
} from '../described.ts';
import { eventsFile } from './events.ts';
import { importsOf } from './imports.ts';
import { modelOf } from './models.ts';
import { methodsOf } from './operations.ts';
import { docstring, indented, listed, pascal, quoted, snake } from './text.ts';

export const PYTHON_PACKAGE = 'libs/sdk-python/src/constancia';

/** The answer of the probes, which the document describes in place. */
const STATUS = ['class Status(Model):', '    status: str'];

export function pythonFiles(documents: Map<string, ApiDocument>): Map<string, string> {
  const header = `# ${GENERATED}`;
  const files = new Map<string, string>();
  for (const [name, document] of documents) {
    for (const [file, lines] of packageOf(name, document)) files.set(`${name}/${file}`, lines.join('\n'));
  }
  const platform = documents.get('platform') as ApiDocument;
  files.set('events.py', eventsFile(platform).join('\n'));
  files.set('problem_slugs.py', slugsFile(platform).join('\n'));
  return new Map([...files].map(([file, text]) => [`${PYTHON_PACKAGE}/${file}`, `${header}\n${text}\n`]));
}

function packageOf(name: string, document: ApiDocument): Map<string, string[]> {
  const schemas = document.components.schemas as Record<string, Schema>;
  const operations = describedOperations(document);
  const open = reachedSchemas(
    operations.map(({ answers }) => answers),
    schemas,
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const used = new Map(
    tags.map((tag) => [
      tag,
      reachedSchemas(
        operations.filter((one) => one.tag === tag),
        schemas,
      ),
    ]),
  );
  const usersOf = (schema: string) => tags.filter((tag) => used.get(tag)?.has(schema));
  const names = Object.keys(schemas).filter((schema) => usersOf(schema).length > 0);
  const shared = names.filter((schema) => usersOf(schema).length > 1);
  const files = new Map<string, string[]>();
  if (shared.length > 0)
    files.set('shared.py', moduleOf('What several parts use.', ordered(shared, schemas), schemas, open, [], []));
  for (const { name: tag, description } of document.tags.filter((one) => tags.includes(one.name))) {
    const own = names.filter((schema) => usersOf(schema).join() === tag);
    const borrowed = shared.filter((schema) => used.get(tag)?.has(schema));
    const described = operations.filter((one) => one.tag === tag);
    files.set(
      `${snake(tag)}.py`,
      moduleOf(description, ordered(own, schemas), schemas, open, described, borrowed, pascal(tag)),
    );
  }
  files.set('__init__.py', initFile(name, document, [...tags], shared.length > 0));
  return files;
}

/** So that a schema comes after those that it refers to. */
function ordered(names: string[], schemas: Record<string, Schema>): string[] {
  const done = new Set<string>();
  const add = (name: string): void => {
    if (done.has(name)) return;
    for (const referred of reachedSchemas(schemas[name], schemas)) {
      if (referred !== name && names.includes(referred)) add(referred);
    }
    done.add(name);
  };
  names.forEach(add);
  return [...done];
}

function moduleOf(
  description: string,
  names: string[],
  schemas: Record<string, Schema>,
  open: Set<string>,
  operations: DescribedOperation[],
  borrowed: string[],
  tag = '',
): string[] {
  const models = names.flatMap((name) => modelOf(name, schemas[name] as Schema, open.has(name)));
  const probes = operations.some(({ answers }) => answers['application/json'] && isInline(answers['application/json']));
  if (probes) models.unshift(STATUS);
  const methods = operations.flatMap(methodsOf);
  const operationsClass =
    methods.length > 0
      ? [[`class ${tag}Operations:`, ...indented(methods.flatMap((lines, at) => (at > 0 ? ['', ...lines] : lines)))]]
      : [];
  const blocks = [...models, ...operationsClass];
  const text = blocks.flat().join('\n');
  const imported = borrowed.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return [
    ...docstring(description),
    '',
    'from __future__ import annotations',
    '',
    ...importsOf(text),
    ...(imported.length > 0 ? listed('from .shared import (', imported, ')', 0) : []),
    '',
    ...listed('__all__ = [', blocks.map(definedName).map(quoted), ']', 0),
    ...blocks.flatMap((lines, at) => [
      ...(lines.length > 1 || (blocks[at - 1]?.length ?? 2) > 1 ? ['', ''] : []),
      ...lines,
    ]),
  ];
}

const isInline = (schema: Schema) => referredName(schema) === undefined && !schema.anyOf;

function definedName([line = '']: string[]): string {
  return /^(?:class )?(\w+)/.exec(line)?.[1] as string;
}

function initFile(name: string, { info }: ApiDocument, tags: string[], shared: boolean): string[] {
  const client = `${pascal(name)}Client`;
  const modules = [...tags.map(snake), ...(shared ? ['shared'] : [])].sort();
  return [
    ...docstring(String(info.description).split('. ')[0] as string),
    '',
    'from .._clients import AsyncClient, SyncClient',
    ...modules.map((module) => `from .${module} import *`),
    ...[...tags].sort().map((tag) => `from .${snake(tag)} import ${pascal(tag)}Operations`),
    '',
    '',
    ...listed(
      'class _Operations(',
      [...tags].sort().map((tag) => `${pascal(tag)}Operations`),
      '):',
      0,
    ),
    '    pass',
    '',
    '',
    `class ${client}(_Operations, SyncClient):`,
    `    """A client of {${name === 'platform' ? 'base' : name}_url} that blocks."""`,
    '',
    '',
    `class Async${client}(_Operations, AsyncClient):`,
    `    """A client of {${name === 'platform' ? 'base' : name}_url} that is awaited."""`,
  ];
}

function slugsFile({ paths }: ApiDocument): string[] {
  const [parameter] = paths['/problems/{slug}']?.get?.parameters ?? [];
  const slugs = (parameter?.schema as Schema).enum as string[];
  return ['from typing import Literal', '', ...listed('ProblemSlug = Literal[', slugs.map(quoted), ']', 0)];
}
