import type { Module } from '../modules.ts';
import { panelsOf } from './panels.ts';

const WIDTH = 8;
const HEIGHT = 7;
const PER_ROW = 24 / WIDTH;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** A Grafana dashboard of a module; namespace and data source are chosen on the page. */
export function dashboardOf(module: Module): object {
  return {
    uid: `constancia-${module.name}`,
    title: `Constancia: ${module.title}`,
    tags: ['constancia', module.name],
    schemaVersion: 39,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource: DATASOURCE,
          query: `label_values(up{job="${module.name}"}, namespace)`,
          refresh: 2,
        },
      ],
    },
    panels: panelsOf(module, { namespace: '$namespace', app: module.name }).map(({ title, unit, queries }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title,
      datasource: DATASOURCE,
      gridPos: {
        x: (index % PER_ROW) * WIDTH,
        y: Math.floor(index / PER_ROW) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      },
      fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
      options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
      targets: queries.map(({ expr, legend }, nth) => ({
        refId: String.fromCharCode('A'.charCodeAt(0) + nth),
        datasource: DATASOURCE,
        expr,
        legendFormat: legend,
      })),
    })),
  };
}
