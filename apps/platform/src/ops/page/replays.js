import { turnRun } from './acts.js';
import { get, post } from './api.js';
import { button, code, el, facts, field, link, state, table, valuesOf } from './elements.js';
import { eventTypeField, instantOf, moduleField, sinceField, tenantField } from './filters.js';
import { lookAgain } from './looking.js';
import { clock, figure, t } from './words.js';

const KINDS = { running: 'wait', completed: 'good', cancelled: 'bad' };
const statusOf = (run) => state(KINDS[run.status], run.dry_run ? t('dryRun') : t('runStatuses')[run.status]);

/** A filter, its count, the confirmation; below, the runs so far. */
export async function showReplay() {
  const outcome = el('div', { 'aria-live': 'polite' });
  const form = el(
    'form',
    {
      class: 'filter keeps',
      onsubmit: (event) => {
        event.preventDefault();
        void count(form, outcome);
      },
      // What was counted is what is sent: another filter is counted anew.
      oninput: () => outcome.replaceChildren(),
    },
    field(tenantField()),
    field({ name: 'all_tenants', label: t('allTenants'), type: 'checkbox' }),
    field(moduleField()),
    field(eventTypeField()),
    field(sinceField()),
    field({ name: 'rate', label: t('rate'), hint: t('rateHint'), type: 'number', min: 1, max: 10_000 }),
    field({ name: 'max', label: t('max'), type: 'number', min: 1, max: 1_000_000, value: 10_000, required: true }),
    field({ name: 'reason', label: t('reason'), hint: t('reasonHint'), required: true }),
    el('button', { type: 'submit' }, t('count')),
  );
  const { data } = await get('/ops/replays', { limit: '20' });
  return [
    el('p', {}, t('replayAbout')),
    form,
    outcome,
    el('h2', {}, t('runs')),
    data.length > 0 ? runsTable(data) : el('p', {}, t('none')),
  ];
}

function runsTable(runs) {
  return table(
    t('runs'),
    [
      { title: t('run'), of: ({ id }) => link(`replay/${id}`, id), wide: true },
      { title: t('status'), of: statusOf },
      { title: t('result'), of: wordsOf },
      { title: t('made'), of: ({ created_at: at }) => clock(at) },
      { title: t('operator'), of: ({ operator }) => operator, wide: true },
      { title: t('reason'), of: ({ reason }) => reason, wide: true },
    ],
    runs,
  );
}

const wordsOf = ({ replayed, matched, skipped }) =>
  t('runState', { replayed: figure(replayed), matched: figure(matched), skipped: figure(skipped) });

function orderOf(form) {
  const { since, rate, max, ...rest } = valuesOf(form);
  return { ...rest, status: ['failed'], since: instantOf(since), rate: rate && Number(rate), max: Number(max) };
}

async function count(form, outcome) {
  const order = orderOf(form);
  if (!order.tenant === !order.all_tenants) {
    return outcome.replaceChildren(el('p', { class: 'alert', role: 'alert' }, t('whose')));
  }
  const run = await post('/ops/replays', { ...order, dry_run: true });
  const found = figure(run.matched);
  const sentences = [el('p', {}, el('strong', {}, t('matched', { count: found })))];
  if (run.matched >= run.max) sentences.push(el('p', {}, t('atMost')));
  if (run.matched === 0) return outcome.replaceChildren(el('div', { class: 'card' }, ...sentences));
  const send = button(t('send', { count: found }), () => start(order, send), { disabled: true });
  const mean = field({
    name: 'mean',
    label: t('mean', { count: found }),
    type: 'checkbox',
    onchange: ({ target }) => (send.disabled = !target.checked),
  });
  outcome.replaceChildren(el('div', { class: 'card' }, ...sentences, mean, el('div', { class: 'actions' }, send)));
}

async function start(order, send) {
  send.disabled = true; // once is enough
  const run = await post('/ops/replays', order);
  location.hash = `replay/${run.id}`;
}

/** How far a run is, every second until it has ended. */
export async function showRun(id) {
  const path = `/ops/replays/${encodeURIComponent(id)}`;
  const place = el('div');
  const act = (what) => turnRun(path, what);
  const look = async () => {
    const run = await get(path);
    place.replaceChildren(...linesOf(run, act));
    if (run.status === 'running') lookAgain(() => void look());
  };
  await look();
  return [place];
}

function linesOf(run, act) {
  const filter = Object.entries(run.filter ?? {}).filter(([, value]) => value !== null && value !== false);
  const words = wordsOf(run);
  return [
    el('progress', { max: Math.max(run.matched, 1), value: run.replayed + run.skipped, 'aria-label': words }),
    facts([
      [t('run'), code(run.id)],
      [t('status'), statusOf(run)],
      [t('result'), words],
      [t('filter'), filter.map(([name, value]) => `${name}=${String(value)}`).join(' ')],
      [t('rate'), run.rate],
      [t('operator'), run.operator],
      [t('reason'), run.reason],
      [t('made'), clock(run.created_at)],
    ]),
    el(
      'div',
      { class: 'actions' },
      run.status === 'running' && button(t('cancelRun'), () => act('cancel')),
      run.status === 'cancelled' && button(t('resumeRun'), () => act('resume')),
    ),
  ];
}
