import type { IPrometheusRule, IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IConfigMap } from 'kubernetes-models/v1';
import { alertsOf } from '../alerts/alerts.ts';
import { dashboardOf } from '../dashboards/dashboard.ts';
import type { Environment } from '../environments.ts';
import type { Module } from '../modules.ts';
import { PART_OF, selectorOf } from './naming.ts';

/** Scrapes every copy on its ops port; `job` is the module's name. */
export function serviceMonitor(module: Module): IServiceMonitor {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      jobLabel: 'app.kubernetes.io/name',
      selector: { matchLabels: selectorOf(module) },
      endpoints: [{ port: 'ops', path: '/metrics', interval: '15s', scrapeTimeout: '10s' }],
    },
  };
}

/** The module's alerts, about this environment only: two of them may share a Prometheus. */
export function prometheusRule(module: Module, environment: Environment): IPrometheusRule {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      groups: [
        {
          name: `constancia-${module.name}`,
          interval: '1m',
          rules: alertsOf(module).map(({ alert, expr, for: duration, severity, summary, labels }) => ({
            alert,
            expr: expr({ namespace: environment.namespace, app: module.name }),
            for: duration,
            labels: { severity, module: module.name, environment: environment.name, ...labels },
            annotations: { summary, runbook_url: `${environment.monitoring.runbooks}/${alert}.md` },
          })),
        },
      ],
    },
  };
}

/** Grafana's sidecar takes every ConfigMap with this label. */
export function dashboardMap(module: Module): IConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${module.name}-dashboard`,
      labels: { ...selectorOf(module), ...PART_OF, grafana_dashboard: '1' },
      annotations: { grafana_folder: 'Constancia' },
    },
    data: { [`constancia-${module.name}.json`]: `${JSON.stringify(dashboardOf(module), null, 1)}\n` },
  };
}
