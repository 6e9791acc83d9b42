import { get, post } from './api.js';
import { afterwards, resumeEndpoint } from './deliveries.js';
import { ask, button, code, el, field, state, table, valuesOf } from './elements.js';
import { tenantField } from './filters.js';
import { clock, figure, t } from './words.js';

let kept = {};

const pausedNow = ({ paused_until: until }) => until !== null && Date.parse(until) > Date.now();

function healthOf(endpoint) {
  const { enabled, disabled_reason: reason, consecutive_failures: failures, paused_until: until } = endpoint;
  const words = t('healths');
  if (!enabled) return state('bad', reason ? `${words.disabled}: ${reason}` : words.disabled);
  if (pausedNow(endpoint)) return state('wait', `${words.paused} → ${clock(until)}`);
  return failures > 0 ? state('bad', words.failing) : state('good', words.well);
}

async function pause(id) {
  const values = await ask({
    title: t('pause'),
    text: t('pauseAbout'),
    fields: [
      { name: 'minutes', label: t('minutes'), type: 'number', min: 1, max: 10_080, value: 60, required: true },
      { name: 'reason', label: t('reason'), hint: t('reasonHint'), required: true },
    ],
    confirm: t('pause'),
    cancel: t('cancel'),
  });
  if (values === null) return;
  const { paused_until: until } = await post(`/ops/endpoints/${id}/pause`, {
    ...values,
    minutes: Number(values.minutes),
  });
  afterwards(t('paused', { id, until: clock(until) }));
}

const actsOf = (endpoint) =>
  endpoint.enabled && !pausedNow(endpoint)
    ? button(t('pause'), () => pause(endpoint.id), { class: 'quiet', 'aria-label': `${t('pause')} ${endpoint.id}` })
    : button(t('resume'), () => resumeEndpoint(endpoint.id), { 'aria-label': `${t('resume')} ${endpoint.id}` });

const COLUMNS = () => [
  { title: t('endpoint'), of: ({ id }) => code(id), wide: true },
  { title: t('tenantShort'), of: ({ slug }) => slug, wide: true },
  { title: t('module'), of: ({ module }) => module },
  { title: t('health'), of: healthOf },
  { title: t('failures'), of: ({ consecutive_failures: failures }) => figure(failures) },
  { title: t('dueHere'), of: ({ due }) => figure(due) },
  { title: t('url'), of: ({ url }) => code(url), wide: true },
  { title: '', of: actsOf },
];

/** Endpoints by their health, to pause and to resume. */
export async function showEndpoints() {
  const list = el('div');
  const find = async (cursor) => {
    const { data, next_cursor: next } = await get('/ops/endpoints', { ...kept, cursor });
    const more = next && button(t('more'), () => find(next), { class: 'quiet' });
    const rows = data.length > 0 ? table(t('endpoints'), COLUMNS(), data) : el('p', {}, t('none'));
    list.replaceChildren(rows, el('div', { class: 'actions' }, more));
  };
  const healths = ['failing', 'paused', 'disabled'].map((health) => [health, t('healths')[health]]);
  const form = el(
    'form',
    {
      class: 'filter',
      role: 'search',
      onsubmit: (event) => {
        event.preventDefault();
        kept = valuesOf(form);
        void find();
      },
    },
    field(tenantField()),
    field({ name: 'health', label: t('health'), options: [['', t('anyHealth')], ...healths] }),
    el('button', { type: 'submit' }, t('filter')),
  );
  for (const [name, value] of Object.entries(kept)) form.elements[name].value = value;
  await find();
  return [form, list];
}
