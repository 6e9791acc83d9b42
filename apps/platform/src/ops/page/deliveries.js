import { replayOne, resumeEndpoint } from './acts.js';
import { get } from './api.js';
import { button, code, el, facts, field, link, state, table } from './elements.js';
import { filteredList } from './filtered-list.js';
import { eventTypeField, instantOf, moduleField, sinceField, tenantField } from './filters.js';
import { errorWords, shortSpan, whyDelivery } from './why.js';
import { clock, currentLocale, t } from './words.js';

const KINDS = { pending: 'wait', delivering: 'wait', delivered: 'good', failed: 'bad' };

export const statusOf = (status) => state(KINDS[status] ?? 'wait', t('statuses')[status] ?? status);

function ago(iso) {
  if (!iso) return '';
  const seconds = (Date.now() - Date.parse(iso)) / 1_000;
  return t(seconds < 0 ? 'in' : 'ago', { span: shortSpan(Math.abs(seconds)) });
}

const COLUMNS = () => [
  { title: t('delivery'), of: ({ id }) => link(`deliveries/${id}`, id), wide: true },
  { title: t('tenantShort'), of: ({ slug }) => slug, wide: true },
  { title: t('event'), of: ({ event_type: type }) => type, wide: true },
  { title: t('status'), of: ({ status }) => statusOf(status) },
  { title: t('attempts'), of: ({ attempts }) => attempts },
  { title: t('http'), of: ({ last_http_status: status }) => status },
  { title: t('error'), of: ({ last_error: error }) => error, wide: true },
  { title: t('made'), of: ({ created_at: at }) => ago(at) },
  { title: t('next'), of: ({ next_attempt_at: at }) => ago(at) },
];

/** The list, by a filter. */
export const showDeliveries = filteredList({
  path: '/ops/deliveries',
  title: () => t('deliveries'),
  columns: COLUMNS,
  queryOf: (filter) => ({ ...filter, since: instantOf(filter.since) }),
  controls: () => [
    field(tenantField()),
    field(moduleField()),
    field({ name: 'status', label: t('status'), options: [['', t('all')], ...Object.entries(t('statuses'))] }),
    field(eventTypeField()),
    field(sinceField()),
    el('button', { type: 'submit' }, t('filter')),
  ],
});

/** One delivery with its attempts, why it stands where it stands, and the way to send it again. */
export async function showDelivery(id) {
  const delivery = await get(`/ops/deliveries/${encodeURIComponent(id)}`);
  const { endpoint, attempts_list: attempts } = delivery;
  return [
    facts([
      [t('delivery'), code(delivery.id)],
      [t('tenantShort'), `${delivery.slug} (${delivery.tenant_id})`],
      [t('event'), el('span', {}, `${delivery.event_type} `, link(`trace/${delivery.event_id}`, delivery.event_id))],
      [t('status'), statusOf(delivery.status)],
      [t('made'), clock(delivery.created_at)],
      [t('next'), clock(delivery.next_attempt_at)],
      [t('endpoint'), endpoint && `${endpoint.id} ${endpoint.url}`],
      [t('traceId'), delivery.trace_id && code(delivery.trace_id)],
    ]),
    ...verdict(delivery),
    el('h2', {}, t('attempts')),
    attempts.length > 0 ? attemptsTable(attempts) : el('p', {}, t('none')),
  ];
}

const resultOf = ({ error_code: error, http_status: status }) =>
  error === null ? t('accepted') : errorWords(error, status, currentLocale());

function attemptsTable(attempts) {
  return table(
    t('attempts'),
    [
      { title: t('number'), of: ({ number }) => number },
      { title: t('at'), of: ({ at }) => clock(at) },
      { title: t('took'), of: ({ duration_ms: ms }) => `${ms} ms` },
      { title: t('http'), of: ({ http_status: status }) => status },
      { title: t('result'), of: resultOf, wide: true },
      { title: t('answer'), of: ({ response_excerpt: excerpt }) => excerpt && code(excerpt.slice(0, 300)), wide: true },
    ],
    attempts,
  );
}

/** Why a delivery stands where it stands, and buttons for what helps. */
export function verdict(delivery) {
  const { sentences, steps } = whyDelivery(delivery, currentLocale(), clock);
  const act = (step) => ACTS[step.do]?.(step, delivery);
  return [
    el(
      'div',
      { class: 'card verdict' },
      el('h2', {}, t('why')),
      ...sentences.map((sentence) => el('p', {}, sentence)),
      el('div', { class: 'actions' }, ...steps.map(act)),
    ),
  ];
}

const ACTS = {
  resume: ({ id }) => button(t('resume'), () => resumeEndpoint(id)),
  replay: ({ id }) => button(t('replayOne'), () => replayOne(id)),
  lag: () => link('lag', t('lag')),
};
