import type { Module } from '../modules.ts';
import type { Scope } from './promql.ts';

/** Input of a test, one value a minute, as promtool writes series: `1+0x60` is sixty-one times one. */
export interface Series {
  metric: string;
  labels?: Record<string, string>;
  values: string;
  /** Prometheus's own series has no label of the app. */
  of?: 'up';
}

/** A case of an alert: what the series are, when it is asked, and what fires then. */
export interface AlertCase {
  series: Series[];
  at: string;
  /** Labels that tell the firing alerts apart; none: all rules of that name must be silent. */
  fires: Record<string, string>[];
}

export interface Alert {
  /** Names its runbook, too. */
  alert: string;
  /** page: somebody is woken; ticket: in working hours. */
  severity: 'page' | 'ticket';
  for: string;
  summary: string;
  labels?: Record<string, string>;
  concerns: (module: Module) => boolean;
  expr: (scope: Scope) => string;
  cases: AlertCase[];
}

/** Shorthands for cases: a gauge that stands still, a counter that grows by so much a minute. */
export const steady = (metric: string, value: number, labels?: Record<string, string>, minutes = 240): Series => ({
  metric,
  labels,
  values: `${value}+0x${minutes}`,
});
export const growing = (metric: string, perMinute: number, labels?: Record<string, string>, minutes = 240): Series => ({
  metric,
  labels,
  values: `0+${perMinute}x${minutes}`,
});
export const silent = (at: string, ...series: Series[]): AlertCase => ({ series, at, fires: [] });
export const firing = (at: string, ...series: Series[]): AlertCase => ({ series, at, fires: [{}] });

/** For `concerns`: these modules alone. */
export const only =
  (...names: Module['name'][]) =>
  ({ name }: Module): boolean =>
    names.includes(name);
