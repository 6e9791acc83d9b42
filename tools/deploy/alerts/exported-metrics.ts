import fs from 'node:fs';
import path from 'node:path';
import { Metrics } from '@constancia/telemetry';
import ts from 'typescript';
import { MODULES, type ModuleName } from '../modules.ts';

/** A metric that a process of a module exports. */
export interface ExportedMetric {
  name: string;
  labels: string[];
}

/** Which modules have what a library measures. A library that measures and is not named here is a mistake of this table. */
const BY_LIBRARY: Record<string, (module: (typeof MODULES)[number]) => boolean> = {
  auth: ({ ports }) => ports.http !== undefined,
  http: ({ ports }) => ports.http !== undefined,
  queue: () => true,
  telemetry: () => true,
  'credit-ledger': ({ ports }) => ports.http !== undefined,
  'embed-sessions': ({ name }) => name === 'platform' || name === 'signing',
  mail: ({ name }) => ['platform', 'signing', 'webhook-dispatcher'].includes(name),
};

/** What Prometheus puts on every series of a ServiceMonitor, and what every process puts on its own. */
export const EVERY_SERIES = ['namespace', 'job', 'pod', 'instance', 'service', 'endpoint', 'container', 'app'];

/** What each module's processes export: what their sources make, and what Node itself exports. */
export async function exportedMetrics(): Promise<Map<ModuleName, ExportedMetric[]>> {
  const runtime = await runtimeMetrics();
  const exported = new Map(MODULES.map(({ name }) => [name, [...runtime]]));
  for (const [folder, { metrics }] of Object.entries(made())) {
    for (const module of MODULES) {
      const own =
        folder === `apps/${module.name}` ||
        (folder.startsWith('libs/') && measures(folder.slice('libs/'.length), module));
      if (own) exported.get(module.name)?.push(...metrics);
    }
  }
  return exported;
}

function measures(library: string, module: (typeof MODULES)[number]): boolean {
  const rule = BY_LIBRARY[library];
  if (rule === undefined) throw new Error(`libs/${library} measures something: say in exported-metrics.ts who has it`);
  return rule(module);
}

async function runtimeMetrics(): Promise<ExportedMetric[]> {
  const metrics = await new Metrics({ app: 'any', runtime: true }).registry.getMetricsAsJSON();
  return metrics.flatMap(({ name, type, values }) =>
    series(name, String(type) === 'histogram' ? 'histogram' : 'gauge', [
      ...new Set((values as { labels: object }[]).flatMap(({ labels }) => Object.keys(labels))),
    ]),
  );
}

/** Every call of counter, gauge or histogram of libs/telemetry's Metrics, by app or library. */
function made(): Record<string, { metrics: ExportedMetric[] }> {
  const found: Record<string, { metrics: ExportedMetric[] }> = {};
  for (const file of ['apps', 'libs'].flatMap(sources)) {
    const text = fs.readFileSync(file, 'utf8');
    if (!/\.(counter|gauge|histogram)\b/.test(text)) continue;
    const metrics = callsIn(file, text);
    const folder = file.split('/').slice(0, 2).join('/');
    if (metrics.length > 0) (found[folder] ??= { metrics: [] }).metrics.push(...metrics);
  }
  return found;
}

function sources(root: string): string[] {
  return fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && fs.existsSync(path.join(root, entry.name, 'src')))
    .flatMap(({ name }) =>
      fs
        .readdirSync(path.join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(root, name, 'src', file)),
    )
    .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$/.test(file));
}

function callsIn(file: string, text: string): ExportedMetric[] {
  const metrics: ExportedMetric[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const kind = node.expression.name.text;
      const [name, , labels] = node.arguments;
      if (['counter', 'gauge', 'histogram'].includes(kind) && name !== undefined && ts.isStringLiteral(name)) {
        metrics.push(...series(name.text, kind, labels === undefined ? [] : stringsIn(labels)));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return metrics;
}

/** The strings of a list as it is written: with others spread into it, or under a name that the same file gives it. */
function stringsIn(node: ts.Expression): string[] {
  if (ts.isAsExpression(node)) return stringsIn(node.expression);
  if (ts.isIdentifier(node)) {
    const value = valueOf(node.text, node.getSourceFile());
    return value === undefined ? [] : stringsIn(value);
  }
  if (!ts.isArrayLiteralExpression(node)) return [];
  return node.elements.flatMap((element) => {
    if (ts.isStringLiteral(element)) return [element.text];
    return ts.isSpreadElement(element) ? stringsIn(element.expression) : [];
  });
}

function valueOf(name: string, within: ts.Node): ts.Expression | undefined {
  let value: ts.Expression | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name)
      value ??= node.initializer;
    ts.forEachChild(node, visit);
  };
  visit(within);
  return value;
}

function series(name: string, kind: string, labels: string[]): ExportedMetric[] {
  if (kind !== 'histogram') return [{ name, labels }];
  return [
    { name: `${name}_bucket`, labels: [...labels, 'le'] },
    { name: `${name}_count`, labels },
    { name: `${name}_sum`, labels },
  ];
}
