import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IPrometheusRule, IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IConfigMap, IService } from 'kubernetes-models/v1';
import { metricsIn } from '../alerts/promql.ts';
import { all, one, type Policy, unmet } from './subject.ts';

/** How a module is scaled and watched. */
export const OPERATIONS: readonly Policy[] = [
  {
    rule: 'An API is scaled by processor time, between two copies and more',
    check: ({ module, release }) => {
      const scalers = all<IHorizontalPodAutoscaler>(release, 'HorizontalPodAutoscaler');
      if (module.backlog !== undefined) return scalers.map(({ metadata }) => `${metadata.name} scales a worker`);
      const { spec } = one<IHorizontalPodAutoscaler>(release, 'HorizontalPodAutoscaler');
      const { scaleTargetRef, minReplicas = 1, maxReplicas = 0, metrics = [] } = spec ?? {};
      return unmet({
        'it scales something else': scaleTargetRef?.name === module.name,
        'one copy is none while it restarts': minReplicas >= 2,
        'it cannot grow': maxReplicas > minReplicas,
        'not by processor time': metrics.some(({ resource }) => resource?.name === 'cpu'),
      });
    },
  },
  {
    rule: 'A worker is scaled by its backlog as one figure, and goes on when the figure is missing',
    check: ({ module, environment, release }) => {
      const scalers = all<IScaledObject>(release, 'ScaledObject');
      if (module.backlog === undefined) return scalers.map(({ metadata }) => `${metadata.name} scales an API`);
      const {
        scaleTargetRef,
        triggers,
        minReplicaCount = 0,
        ...spec
      } = one<IScaledObject>(release, 'ScaledObject').spec;
      const { query = '', threshold } = triggers[0]?.metadata ?? {};
      return unmet({
        'it scales something else': scaleTargetRef.name === module.name,
        'too few copies: nobody exports the backlog, or one that restarts': minReplicaCount >= 2,
        'it cannot grow': (spec.maxReplicaCount ?? 0) > minReplicaCount,
        'without Prometheus there are too few': (spec.fallback?.replicas ?? 0) >= minReplicaCount,
        'every copy exports the whole backlog: copies are not added up': /^(max\(|sum\(max by \()/.test(query),
        'it reads another environment': query.includes(`namespace="${environment.namespace}"`),
        'it reads something else': metricsIn(query).some(({ name }) => name === module.backlog?.metric),
        'it has no threshold': Number(threshold) > 0,
      });
    },
  },
  {
    rule: 'Prometheus finds every copy by the Service and its ops port',
    check: ({ module, release }) => {
      const { spec } = one<IServiceMonitor>(release, 'ServiceMonitor');
      const service = one<IService>(release, 'Service');
      const wanted = Object.entries(spec.selector.matchLabels ?? {});
      const endpoint = spec.endpoints[0];
      return [
        ...(wanted.length > 0 && wanted.every(([name, value]) => service.metadata.labels?.[name] === value)
          ? []
          : ['it selects no Service']),
        ...(endpoint?.port === 'ops' && endpoint.path === '/metrics'
          ? []
          : [`it asks ${endpoint?.port}${endpoint?.path}`]),
        // Alerts say job="<module>".
        ...(service.metadata.labels?.[spec.jobLabel ?? ''] === module.name ? [] : ['its job is not the module']),
      ];
    },
  },
  {
    rule: 'A module has alerts about itself in its environment, each with a severity, a sentence and a runbook',
    check: ({ module, environment, release }) => {
      const rules = one<IPrometheusRule>(release, 'PrometheusRule').spec.groups?.flatMap(
        ({ rules: list }) => list ?? [],
      );
      if (!rules?.length) return ['there are none'];
      return rules.flatMap(({ alert, expr, labels, annotations, for: duration }) => [
        ...(['page', 'ticket'].includes(labels?.severity ?? '') ? [] : [`${alert} has no severity`]),
        ...(labels?.module === module.name && labels.environment === environment.name
          ? []
          : [`${alert} says not where`]),
        ...(annotations?.summary ? [] : [`${alert} says nothing`]),
        ...(annotations?.runbook_url?.endsWith(`/${alert}.md`) ? [] : [`${alert} has no runbook`]),
        ...(duration ? [] : [`${alert} does not say how long`]),
        ...(String(expr).includes(`namespace="${environment.namespace}"`) ? [] : [`${alert} is about any environment`]),
      ]);
    },
  },
  {
    rule: 'A module has a dashboard that Grafana finds, with a question in every panel',
    check: ({ module, release }) => {
      const maps = all<IConfigMap>(release, 'ConfigMap').filter(({ metadata }) => metadata.labels?.grafana_dashboard);
      if (maps.length !== 1) return [`there are ${maps.length}`];
      const [file, text] = Object.entries(maps[0]?.data ?? {})[0] ?? [];
      const { panels, uid } = JSON.parse(text ?? '{}') as {
        uid?: string;
        panels?: { title: string; targets: object[] }[];
      };
      return [
        ...(file === `constancia-${module.name}.json` && uid === `constancia-${module.name}`
          ? []
          : [`it is called ${file}`]),
        ...(panels?.length ? [] : ['it is empty']),
        ...(panels ?? []).filter(({ targets }) => targets.length === 0).map(({ title }) => `${title} asks nothing`),
      ];
    },
  },
];
