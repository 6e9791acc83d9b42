/** What compliance and signing show on their own ops ports: lists, overdue cases, seals. */
import { get } from './api.js';
import { code, el, field, state, table } from './elements.js';
import { filteredList } from './filtered-list.js';
import { clock, figure, t } from './words.js';

/** Restrictive lists: versions, age, what is missing. */
export async function showLists() {
  const { data, missing, stale } = await get('/ops/lists');
  const warning = (names, word) =>
    names.length > 0 ? el('p', { class: 'alert' }, t(word, { lists: names.join(', ') })) : null;
  return [
    el('p', {}, t('listsAbout')),
    ...[warning(missing, 'listsMissing'), warning(stale, 'listsStale')].filter((one) => one !== null),
    data.length === 0
      ? el('p', {}, t('none'))
      : table(
          t('lists'),
          [
            { title: t('list'), of: ({ list }) => list },
            { title: t('version'), of: ({ version }) => code(version), wide: true },
            { title: t('entries'), of: ({ entries }) => figure(entries) },
            { title: t('published'), of: ({ published_at: at }) => clock(at) },
            { title: t('imported'), of: ({ imported_at: at }) => clock(at) },
          ],
          data,
        ),
  ];
}

/** Overdue cases, the most overdue first. */
export const showCases = filteredList({
  path: '/ops/cases/overdue',
  title: () => t('cases'),
  columns: () => [
    { title: t('case'), of: ({ id }) => code(id), wide: true },
    { title: t('tenantShort'), of: ({ tenant_id: tenant }) => code(tenant), wide: true },
    { title: t('severity'), of: ({ severity }) => severity },
    { title: t('status'), of: ({ status }) => status },
    { title: t('hoursOver'), of: ({ hours_over: hours }) => figure(hours) },
  ],
  controls: () => [],
});

/** Documents that wait for their seal, or whose sealing failed. */
export const showSeals = filteredList({
  path: '/ops/seals',
  title: () => t('seals'),
  columns: () => [
    { title: t('seal'), of: ({ id }) => code(id), wide: true },
    { title: t('tenantShort'), of: ({ tenant_id: tenant }) => code(tenant), wide: true },
    { title: t('status'), of: ({ status }) => state(status === 'failed' ? 'bad' : 'wait', status) },
    { title: t('attempts'), of: ({ attempts }) => figure(attempts) },
    { title: t('error'), of: ({ last_setback: setback }) => setback ?? '–', wide: true },
    { title: t('made'), of: ({ created_at: at }) => clock(at) },
    { title: t('next'), of: ({ next_attempt_at: at }) => clock(at) },
  ],
  controls: () => [
    field({ name: 'status', label: t('status'), options: Object.entries(t('sealStatuses')) }),
    el('button', { type: 'submit' }, t('filter')),
  ],
});
