import { readFileSync } from 'node:fs';
import path from 'node:path';
import { operations } from '@constancia/operations';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

type Name = keyof typeof operations;
interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
}

const document = parse(readFileSync('docs/api/ops.v1.yaml', 'utf8')) as Described;

/** Two files that only the compiler sees. */
const COMPARISON = path.resolve('tools/ops/comparison.ts');
const DESCRIBED = path.resolve('tools/ops/described.ts');

const COMPARING = `
import type { operations } from '@constancia/operations';
import type { operations as Described } from './described.ts';
type Stated<Name extends keyof typeof operations> = NonNullable<ReturnType<(typeof operations)[Name]>['answer']>;
type Bodies<Responses> = { [Status in keyof Responses]:
  Status extends 200 | 201 | 202 ? (Responses[Status] extends { content: { 'application/json': infer Body } } ? Body : never) : never;
}[keyof Responses];
type Answer<Id extends keyof Described> = Bodies<Described[Id]['responses']>;
type MembersOf<Type> = Type extends unknown ? keyof Type : never;
type Member<Type, Key> = Type extends unknown ? (Key extends keyof Type ? NonNullable<Type[Key]> : never) : never;
/** Members that are stated, be it as optional ones, and described nowhere. */
type Unknown<Type, Answer> = Type extends readonly (infer Item)[]
  ? Unknown<Item, Answer extends readonly (infer Other)[] ? Other : never>
  : string extends keyof Type ? never : Type extends object
    ? { [Key in keyof Type]-?: Key extends MembersOf<Answer> ? Unknown<NonNullable<Type[Key]>, Member<Answer, Key>> : Key }[keyof Type]
    : never;
`;

/** The operation of the document that a request asks for. */
function operationIdOf(name: Name): string {
  const { method, path: asked } = (operations[name] as (...words: string[]) => { method: string; path: string })(
    'x',
    'x',
  );
  const found = Object.entries(document.paths).find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(asked),
  );
  return found?.[1][method.toLowerCase()]?.operationId ?? `none for ${method} ${asked}`;
}

/** What the compiler says against a program of these files. */
function faultsIn(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile('tsconfig.base.json', (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.fileExists = (file) => files.has(file) || fileExists(file);
  const program = ts.createProgram([COMPARISON], { ...options, types: [] }, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const [line] = file?.text.slice(file.text.lastIndexOf('\n', start) + 1).split('\n') ?? [];
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

it('the types of answers that command and page work with are those of docs/api/ops.v1.yaml', async () => {
  const described = astToString(await openapiTS(document as never, { defaultNonNullable: false }));
  const comparisons = (Object.keys(operations) as Name[]).map((name) => {
    const [stated, answer] = [`Stated<'${name}'>`, `Answer<'${operationIdOf(name)}'>`];
    return `
export const ${name} = (answer: ${answer}): ${stated} => answer;
export const unknownOf_${name} = (unknown: Unknown<${stated}, ${answer}>): never => unknown;`;
  });
  const faults = faultsIn(
    new Map([
      [DESCRIBED, described],
      [COMPARISON, COMPARING + comparisons.join('')],
    ]),
  );
  expect(faults).toEqual([]);
});
