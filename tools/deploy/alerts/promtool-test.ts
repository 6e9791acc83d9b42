import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { Module } from '../modules.ts';
import type { AlertCase, Series } from './alert.ts';
import { alertsOf } from './alerts.ts';
import type { Scope } from './promql.ts';

type Rule = NonNullable<NonNullable<IPrometheusRule['spec']['groups']>[number]['rules']>[number];

/** The input of `promtool test rules`, for a module's alerts in one environment. `rule_files` lies beside it. */
export function promtoolTest(module: Module, scope: Scope, rules: readonly Rule[], ruleFile: string): object {
  return {
    rule_files: [ruleFile],
    evaluation_interval: '1m',
    tests: alertsOf(module).flatMap(({ alert, cases }) =>
      cases.map((one) => ({
        interval: '1m',
        input_series: one.series.map((series) => ({ series: nameOf(series, scope), values: series.values })),
        alert_rule_test: [
          {
            eval_time: one.at,
            alertname: alert,
            exp_alerts: expected(
              one,
              rules.filter((rule) => rule.alert === alert),
            ),
          },
        ],
      })),
    ),
  };
}

function nameOf({ metric, labels, of }: Series, { namespace, app }: Scope): string {
  const all = { namespace, ...(of === 'up' ? { job: app } : { app }), ...labels };
  const list = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return `${metric}{${list.join(', ')}}`;
}

/** What fires, in full: the labels of the case over those of the rule that they fit, and what it says. */
function expected({ fires }: AlertCase, rules: readonly Rule[]): object[] {
  return fires.map((labels) => {
    const rule = rules.find((candidate) =>
      Object.entries(labels).every(([name, value]) => (candidate.labels?.[name] ?? value) === value),
    ) as Rule;
    const said = Object.entries(rule.annotations ?? {}).map(([name, text]) => [
      name,
      text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => labels[label] ?? ''),
    ]);
    return { exp_labels: { ...rule.labels, ...labels }, exp_annotations: Object.fromEntries(said) };
  });
}
