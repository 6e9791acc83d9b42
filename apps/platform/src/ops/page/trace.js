import { get } from './api.js';
import { statusOf, verdict } from './deliveries.js';
import { code, el, facts, field, link, table, valuesOf } from './elements.js';
import { tellerOf, whyNone } from './why.js';
import { clock, currentLocale, figure, t } from './words.js';

/** The story of anything that has an id, as far as the platform knows it. */
export async function showTrace(eventId) {
  const form = el(
    'form',
    {
      role: 'search',
      class: 'keeps',
      onsubmit: (event) => {
        event.preventDefault();
        location.hash = `trace/${valuesOf(form).event_id}`;
      },
    },
    field({ name: 'event_id', label: t('eventId'), hint: t('eventIdHint'), required: true, value: eventId }),
    el('button', { type: 'submit' }, t('find')),
  );
  return eventId ? [form, ...(await storyOfAny(eventId))] : [form];
}

async function storyOfAny(id) {
  const module = tellerOf({ id });
  if (module) return [el('p', {}, t('noStoryHere', { module }), ' ', code(`npm run ops -- trace ${id}`))];
  if (/^(fls|sub)_/.test(id)) return thing(await get(`/ops/story/${encodeURIComponent(id)}`));
  if (!id.startsWith('dlv_')) return storyOf(id);
  return storyOf((await get(`/ops/deliveries/${encodeURIComponent(id)}`)).event_id);
}

/** A flow session, or a subject with its newest sessions; and their events. */
async function thing(found) {
  const { data: events } = await get('/ops/events', { tenant: found.tenant_id, about: found.id });
  return [
    facts([
      [found.kind, code(found.id)],
      [t('tenantShort'), code(found.tenant_id)],
      [t('status'), found.status ?? null],
      ...(found.sessions
        ? [[t('sessionsOf'), el('span', {}, ...found.sessions.map(({ id }) => link(`trace/${id}`, `${id} `)))]]
        : []),
      [t('event'), events.length === 0 ? null : el('span', {}, ...events.map(eventLink))],
    ]),
    el('h2', {}, t('timeline')),
    timelineTable(found.timeline),
  ];
}

const eventLink = ({ event_id: id, event_type: type }) => link(`trace/${id}`, `${type} `);

async function storyOf(eventId) {
  const found = await get(`/ops/trace/${encodeURIComponent(eventId)}`);
  const { event, ledger, timeline } = found;
  const tenant = event.tenant_id;
  const deliveries = await Promise.all(found.deliveries.map(({ id }) => get(`/ops/deliveries/${id}`)));
  const endpoints = deliveries.length > 0 ? [] : (await get('/ops/endpoints', { tenant })).data;
  return [
    facts([
      [t('event'), el('span', {}, `${event.event_type} `, code(event.event_id))],
      [t('tenantShort'), `${event.slug} (${event.tenant_id})`],
      [t('about'), event.about && `${event.about.type} ${event.about.id}`],
      [t('occurred'), clock(event.occurred_at)],
      [t('traceId'), event.trace_id && code(event.trace_id)],
    ]),
    ...(deliveries.length > 0 ? deliveries.flatMap(deliveryOf) : [noneOf(event, endpoints)]),
    el('h2', {}, t('timeline')),
    timelineTable(timeline),
    ...restOf(event),
    ...(ledger.length > 0 ? [el('h2', {}, t('ledger')), ledgerTable(ledger)] : []),
  ];
}

function timelineTable(timeline) {
  return table(
    t('timeline'),
    [
      { title: t('at'), of: ({ at }) => clock(at) },
      { title: t('where'), of: ({ where }) => where },
      { title: t('what'), of: ({ what }) => what, wide: true },
      { title: t('detail'), of: ({ detail }) => detail, wide: true },
    ],
    timeline,
  );
}

/** The module's part is on its own port, where this page has no say. */
function restOf({ event_id: id, about }) {
  const module = tellerOf(about);
  return module ? [el('p', {}, t('restTold', { module }), ' ', code(`npm run ops -- trace ${id}`))] : [];
}

const deliveryOf = (delivery) => [
  el('p', {}, link(`deliveries/${delivery.id}`, delivery.id), ' ', statusOf(delivery.status)),
  ...verdict(delivery),
];

function noneOf(event, endpoints) {
  const endpoint = endpoints.find(({ module }) => module === event.module);
  const { sentences } = whyNone(event, endpoint, currentLocale());
  return el('div', { class: 'card verdict' }, el('h2', {}, t('why')), ...sentences.map((each) => el('p', {}, each)));
}

function ledgerTable(entries) {
  return table(
    t('ledger'),
    [
      { title: t('at'), of: ({ at }) => clock(at) },
      { title: t('kind'), of: ({ kind }) => kind },
      { title: t('amount'), of: ({ amount }) => figure(amount) },
    ],
    entries,
  );
}
