import { kickOutbox } from './acts.js';
import { get } from './api.js';
import { button, el, facts, table } from './elements.js';
import { again } from './looking.js';
import { figure, t } from './words.js';
import { shortSpan } from './why.js';

const since = (seconds) => (seconds ? shortSpan(seconds) : '–');

/** What waits: webhooks, work, queues. */
export async function showLag() {
  const { outbox, work, queues } = await get('/ops/lag');
  if (!outbox) return [el('h2', {}, t('work')), workTable(work)]; // other modules report their own work only
  return [
    facts([
      [t('due'), figure(outbox.due)],
      [t('oldest'), since(outbox.oldest_due_seconds)],
      [t('onTheirWay'), figure(outbox.delivering)],
    ]),
    el('div', { class: 'actions' }, button(t('refresh'), again), button(t('kick'), kickOutbox, { class: 'quiet' })),
    el('h2', {}, t('work')),
    workTable(work),
    el('h2', {}, t('queues')),
    el('p', {}, t('queuesAbout')),
    table(
      t('queues'),
      [
        { title: t('queue'), of: ({ queue }) => queue },
        { title: t('waiting'), of: ({ waiting }) => figure(waiting) },
        { title: t('active'), of: ({ active }) => figure(active) },
        { title: t('delayed'), of: ({ delayed }) => figure(delayed) },
        { title: t('failedJobs'), of: ({ failed }) => figure(failed) },
        { title: t('oldest'), of: ({ oldest_waiting_seconds: oldest }) => since(oldest) },
      ],
      queues,
    ),
  ];
}

function workTable(work) {
  return table(
    t('work'),
    [
      { title: t('kind'), of: ({ module, kind }) => (module ? `${module} ${kind}` : kind) },
      { title: t('open'), of: ({ open }) => figure(open) },
      { title: t('oldest'), of: ({ oldest_seconds: oldest }) => since(oldest) },
    ],
    work,
  );
}
