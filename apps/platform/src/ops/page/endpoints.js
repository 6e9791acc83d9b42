import { pauseEndpoint, resumeEndpoint } from './acts.js';
import { button, code, el, field, state } from './elements.js';
import { filteredList } from './filtered-list.js';
import { tenantField } from './filters.js';
import { clock, figure, t } from './words.js';

const pausedNow = ({ paused_until: until }) => until !== null && Date.parse(until) > Date.now();

function healthOf(endpoint) {
  const { enabled, disabled_reason: reason, consecutive_failures: failures, paused_until: until } = endpoint;
  const words = t('healths');
  if (!enabled) return state('bad', reason ? `${words.disabled}: ${reason}` : words.disabled);
  if (pausedNow(endpoint)) return state('wait', `${words.paused} → ${clock(until)}`);
  return failures > 0 ? state('bad', words.failing) : state('good', words.well);
}

const actsOf = (endpoint) =>
  endpoint.enabled && !pausedNow(endpoint)
    ? button(t('pause'), () => pauseEndpoint(endpoint.id), {
        class: 'quiet',
        'aria-label': `${t('pause')} ${endpoint.id}`,
      })
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
export const showEndpoints = filteredList({
  path: '/ops/endpoints',
  title: () => t('endpoints'),
  columns: COLUMNS,
  controls: () => {
    const healths = ['failing', 'paused', 'disabled'].map((health) => [health, t('healths')[health]]);
    return [
      field(tenantField()),
      field({ name: 'health', label: t('health'), options: [['', t('anyHealth')], ...healths] }),
      el('button', { type: 'submit' }, t('filter')),
    ];
  },
});
