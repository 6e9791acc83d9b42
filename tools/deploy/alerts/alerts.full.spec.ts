import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { createLogger, Metrics } from '@constancia/telemetry';
import type { IConfigMap } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { SealingMetrics } from '../../../apps/sealing-worker/src/metrics.ts';
import { DispatcherMetrics } from '../../../apps/webhook-dispatcher/src/deliveries/metrics.ts';
import { RequestLog } from '@constancia/http';
import { objectsOf } from '../kustomization.ts';
import { type Module, MODULES, type ModuleName } from '../modules.ts';
import { backlogQuery } from '../objects/scaling.ts';
import { all, one } from '../policies/subject.ts';
import { ALERTS, alertsOf } from './alerts.ts';
import { type ExportedMetric, EVERY_SERIES, exportedMetrics } from './exported-metrics.ts';
import { OBJECTIVES, OTHER_TIMES } from './objectives.ts';
import { metricsIn } from './promql.ts';

const promtoolInstalled = spawnSync('promtool', ['--version']).status === 0;
const RUNBOOKS = 'deploy/runbooks';

const production = ({ name }: Module) => objectsOf(`deploy/${name}/overlays/production`);
const rulesOf = (module: Module) => one<IPrometheusRule>(production(module), 'PrometheusRule').spec;

function questionsOf(module: Module): string[] {
  const map = all<IConfigMap>(production(module), 'ConfigMap').find(
    ({ metadata }) => metadata.labels?.grafana_dashboard,
  );
  const { panels } = JSON.parse(Object.values(map?.data ?? {})[0] ?? '{}') as {
    panels: { targets: { expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

if (!promtoolInstalled) console.log('Skipped: alerts in Prometheus. promtool is not on the PATH (Debian: prometheus).');

describe.skipIf(!promtoolInstalled)('in Prometheus', { timeout: 120_000 }, () => {
  let folder: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-alerts-'));
  });

  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });

  it.each(MODULES)('the alerts of $name fire when they should, and only then', (module) => {
    fs.writeFileSync(path.join(folder, 'alerts.rules.yaml'), stringify(rulesOf(module)));
    fs.copyFileSync(`deploy/${module.name}/alerts.test.yaml`, path.join(folder, 'alerts.test.yaml'));
    expect(promtool('check', 'rules', 'alerts.rules.yaml')).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = promtool('test', 'rules', 'alerts.test.yaml');
    expect(status, stdout + stderr).toBe(0);
  });

  it('a test sees an alert that does not fire', () => {
    const module = MODULES.at(-1) as Module;
    const text = JSON.stringify(rulesOf(module)).replace('== 1)', '== 2)').replace('> 0.5', '> 500');
    fs.writeFileSync(path.join(folder, 'alerts.rules.yaml'), stringify(JSON.parse(text)));
    fs.copyFileSync(`deploy/${module.name}/alerts.test.yaml`, path.join(folder, 'alerts.test.yaml'));
    const { status, stderr } = promtool('test', 'rules', 'alerts.test.yaml');
    expect(status).toBe(1);
    expect(stderr).toMatch(/EventLoopHeld/);
  });

  it.each(MODULES)('the questions of the dashboard of $name can be asked', (module) => {
    const rules = questionsOf(module).map((expr, index) => ({ record: `question:${index}`, expr }));
    fs.writeFileSync(path.join(folder, 'questions.yaml'), stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { status, stderr } = promtool('check', 'rules', 'questions.yaml');
    expect(status, stderr).toBe(0);
  });
});

describe('the tests of alerts', () => {
  it.each(MODULES)('let every alert of $name fire once and be silent once', (module) => {
    const { tests } = parse(fs.readFileSync(`deploy/${module.name}/alerts.test.yaml`, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: { exp_labels: Record<string, string> }[] }[] }[];
    };
    const cases = tests.flatMap(({ alert_rule_test: list }) => list);
    for (const { alert, severity } of alertsOf(module)) {
      const own = cases.filter(({ alertname }) => alertname === alert);
      const fired = own.flatMap(({ exp_alerts: alerts }) => alerts.map(({ exp_labels: labels }) => labels.severity));
      expect(fired, alert).toContain(severity);
      expect(
        own.some(({ exp_alerts: alerts }) => alerts.length === 0),
        alert,
      ).toBe(true);
    }
  });
});

describe('metrics', () => {
  let exported: Map<ModuleName, ExportedMetric[]>;

  beforeAll(async () => {
    exported = await exportedMetrics();
  });

  /** What a module is asked for and does not tell. */
  function unknown(module: ModuleName, expressions: readonly string[]): string[] {
    const known = exported.get(module) ?? [];
    return expressions.flatMap(metricsIn).flatMap(({ name, labels }) => {
      if (name === 'up') return [];
      const found = known.find((candidate) => candidate.name === name);
      if (found === undefined) return [`${module} exports no ${name}`];
      const strange = labels.filter((label) => ![...found.labels, ...EVERY_SERIES].includes(label));
      return strange.map((label) => `${name} has no label ${label}`);
    });
  }

  it.each(MODULES)('that alerts, scaling and dashboards of $name read are exported by it', (module) => {
    const alerts = (rulesOf(module).groups ?? []).flatMap(({ rules }) => (rules ?? []).map(({ expr }) => String(expr)));
    const scope = { namespace: 'n', app: module.name };
    const scaling = module.backlog === undefined ? [] : [backlogQuery(module.backlog, scope)];
    const asked = [...alerts, ...questionsOf(module), ...scaling];
    expect(asked.flatMap(metricsIn).length).toBeGreaterThan(asked.length - 1);
    expect(unknown(module.name, asked)).toEqual([]);
  });

  it.each(MODULES.flatMap(({ name, backlog }) => (backlog === undefined ? [] : [{ name, backlog }])))(
    'that $name is scaled by are added up over what distinguishes parts of them',
    ({ name, backlog }) => {
      const found = exported.get(name)?.find((candidate) => candidate.name === backlog.metric);
      expect(found?.labels).toEqual(backlog.by === undefined ? [] : [backlog.by]);
    },
  );

  it('that nobody exports are seen, and labels that they do not have', () => {
    expect(unknown('platform', ['sum(rate(sealing_backlog{app="platform"}[5m]))'])).toEqual([
      'platform exports no sealing_backlog',
    ]);
    expect(unknown('sealing-worker', ['sum by (tenant) (rate(seals_total{result="signed"}[5m]))'])).toEqual([
      'seals_total has no label tenant',
    ]);
  });

  it('are found in any expression', () => {
    expect(metricsIn('max by (list) (list_stale{app="x", list!~"a|b"}) == 1 and up > bool 0.5')).toEqual([
      { name: 'list_stale', labels: ['app', 'list', 'list'].filter((label, at, every) => every.indexOf(label) === at) },
      { name: 'up', labels: ['list'] },
    ]);
  });

  it('of objectives about time have the bound as a bucket', () => {
    const metrics = new Metrics({ app: 'any' });
    new DispatcherMetrics(metrics);
    new SealingMetrics(metrics, []);
    new RequestLog('any', createLogger({ app: 'any', level: 'silent' }), metrics);
    const bounds = OBJECTIVES.flatMap(({ bad }) => [
      ...bad({ namespace: 'n', app: 'a' }, '5m').matchAll(/(\w+)_bucket\{.*?le="([^"]+)"/g),
    ]);
    expect(bounds).toHaveLength(3);
    for (const [, histogram, bound] of bounds) {
      const { upperBounds } = metrics.registry.getSingleMetric(histogram as string) as unknown as {
        upperBounds: number[];
      };
      expect(upperBounds, histogram).toContain(Number(bound));
    }
  });
});

describe('the objective about time', () => {
  it('leaves out routes that exist, by their templates', () => {
    const documented = ['platform', 'compliance', 'signing'].flatMap((app) =>
      Object.keys((parse(fs.readFileSync(`docs/api/${app}.v1.yaml`, 'utf8')) as { paths: object }).paths),
    );
    const templates = documented.map((route) => route.replace(/\{(\w+)\}/g, ':$1'));
    for (const pattern of OTHER_TIMES) {
      expect(
        templates.some((route) => new RegExp(`^(${pattern})$`).test(route)),
        pattern,
      ).toBe(true);
    }
  });
});

describe('runbooks', () => {
  const names = [...new Set(ALERTS.map(({ alert }) => alert))];
  const text = (alert: string) => fs.readFileSync(path.join(RUNBOOKS, `${alert}.md`), 'utf8');

  it.each(names)('say what %s means, by its metrics, what to look at and what to do', (alert) => {
    expect(fs.existsSync(path.join(RUNBOOKS, `${alert}.md`)), 'there is none').toBe(true);
    const read = ALERTS.filter((each) => each.alert === alert).flatMap(({ expr }) =>
      metricsIn(expr({ namespace: 'n', app: 'a' })).map(({ name }) => name.replace(/_(bucket|count|sum)$/, '')),
    );
    for (const name of new Set(read)) expect(text(alert)).toContain(`\`${name}`);
    for (const heading of ['## What it means', '## Look', '## Do']) expect(text(alert)).toContain(heading);
    expect(text(alert)).toMatch(/^kubectl /m);
  });

  it('are about alerts that there are', () => {
    const files = fs.readdirSync(RUNBOOKS).filter((file) => file !== 'README.md');
    expect(files.map((file) => file.replace(/\.md$/, '')).toSorted()).toEqual(names.toSorted());
  });

  it.each(['README', ...names])('name only what there is in their commands: %s', (name) => {
    const commands = [...text(name).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
      .map(([, block]) => block as string)
      .join('\n');
    const modules = MODULES.map((module) => module.name as string);
    for (const [, target] of commands.matchAll(
      /(?:deploy\/|kubernetes\.io\/name=|\b(?:hpa|scaledobject) )([\w$-]+)/g,
    )) {
      expect([...modules, '$MODULE']).toContain(target);
    }
    const { scripts } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const [, script] of commands.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(script);
  });
});
