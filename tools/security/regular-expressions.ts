import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { WORKSPACE } from '../build/sources.mjs';
import { documentedOperations, resolverOf, type Schema } from './fuzz/operations.ts';

/** A regular expression, and where it stands. */
export interface FoundExpression {
  at: string;
  expression: RegExp;
}

/** Servers and what they are made of. The pages run in their reader's own browser. */
const SOURCES = ['apps', 'libs'];
const LEFT_OUT = /(\.spec|\.fixture)\.tsx?$|\/(migrations|generated|testing|sdk|signer-web|node_modules|dist)\//;

/** Every regular expression literal in what the servers are made of. */
export function expressionsInCode(): FoundExpression[] {
  return SOURCES.flatMap((folder) =>
    fs
      .readdirSync(path.join(WORKSPACE, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter((file) => file.endsWith('.ts') && !LEFT_OUT.test(file))
      .flatMap(expressionsOf),
  );
}

function expressionsOf(file: string): FoundExpression[] {
  const text = fs.readFileSync(path.join(WORKSPACE, file), 'utf8');
  if (!text.includes('/')) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: FoundExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, pattern, flags] = /^\/([^]*)\/([a-z]*)$/.exec(node.text) as unknown as [string, string, string];
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ at: `${file}:${line + 1}`, expression: new RegExp(pattern, flags) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Every `pattern` of what the documents accept. */
export function expressionsInDocuments(): FoundExpression[] {
  return documentedOperations().flatMap(({ app, operationId, parameters, bodies }) => {
    const resolve = resolverOf(app);
    const seen = new Set<Schema>();
    const found: FoundExpression[] = [];
    const visit = (schema: Schema | undefined): void => {
      if (schema === undefined || typeof schema !== 'object') return;
      const rule = resolve(schema);
      if (seen.has(rule)) return;
      seen.add(rule);
      if (rule.pattern !== undefined)
        found.push({ at: `${operationId} ${rule.pattern}`, expression: new RegExp(rule.pattern) });
      const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = rule;
      for (const inner of [...Object.values(properties), items, ...allOf, ...anyOf, ...oneOf]) visit(inner);
    };
    for (const { schema } of parameters) visit(schema);
    for (const schema of bodies.values()) visit(schema);
    return found;
  });
}

/** Texts that make an expression try again and again, if anything does: its own pieces, repeated, with an end that fits nothing. */
export function trials({ expression }: FoundExpression, length: number): string[] {
  const pieces = new Set([
    'a',
    '0',
    ' ',
    '-',
    '.',
    '/',
    '@',
    'a.',
    'a-',
    'a@',
    '0 ',
    '="',
    '<',
    '[',
    '{',
    '\n',
    '\t',
    'á',
    ',',
    '%',
  ]);
  for (const [literal] of expression.source.matchAll(/[\w@<>=:;,. -]{1,6}/g)) pieces.add(literal);
  const prefixes = ['', expression.source.replace(/\\[a-zA-Z]|[\\^$()[\]{}*+?|]/g, '').slice(0, 12)];
  return [...pieces].flatMap((piece) => {
    const body = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    return prefixes.map((prefix) => `${prefix}${body}\u0000`);
  });
}
