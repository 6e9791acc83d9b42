import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { WORKSPACE } from '@constancia/bundling/workspace';
import { exportedMetrics } from '../deploy/alerts/exported-metrics.ts';

/**
 * What ends like this in a text is a metric, unless a schema stands before it (`signing.sealing_backlog` is a
 * function); in a manifest also what stands before a label selector.
 */
const METRIC =
  /(?<!\.)\b[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:total|seconds|bytes|credits|backlog|lag|held|bucket|waiting|open|degraded|stale)\b/g;
const SELECTED = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?=\{)/g;

/** Members of the API, of log lines and of tables that end like a metric. Add a name here only when it is none. */
const NOT_METRICS = new Set(['already_open', 'amount_credits', 'grace_seconds', 'insufficient_credits', 'replay_lag']);

/** From kube-state-metrics, the kubelet and KEDA, which are not ours. */
const OF_THE_CLUSTER = /^(kube|container|kubelet|keda|up)_/;

function filesIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(WORKSPACE, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join(folder, file))
    .filter((file) => /\.(md|ya?ml)$/.test(file) && !file.startsWith('docs/api/'));
}

const FILES = ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs'), ...filesIn('deploy')];
const exported = new Set([...(await exportedMetrics()).values()].flat().map(({ name }) => name));

/** A histogram is also named without what its series end with. */
const exists = (name: string): boolean => exported.has(name) || exported.has(`${name}_bucket`);

function unknownMetrics(text: string): string[] {
  const names = [...text.matchAll(METRIC), ...text.matchAll(SELECTED)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !exists(name) && !NOT_METRICS.has(name) && !OF_THE_CLUSTER.test(name));
}

describe('metrics in documents, runbooks, alerts and manifests', () => {
  it('exist: some process exports each that is named', () => {
    const wrong = FILES.flatMap((file) =>
      unknownMetrics(fs.readFileSync(path.join(WORKSPACE, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('a name that no process exports is found, in prose and in a query', () => {
    expect(unknownMetrics('look at `outbox_oldest_unsent_seconds` and `queue_lag_seconds`')).toEqual([
      'outbox_oldest_unsent_seconds',
    ]);
    expect(unknownMetrics('signing.outbox_oldest_unsent_seconds')).toEqual([]);
    expect(unknownMetrics('expr: max(list_stale{a="b"}) + max(list_age{a="b"})')).toEqual(['list_age']);
  });
});
