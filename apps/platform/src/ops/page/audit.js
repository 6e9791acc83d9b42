import { get } from './api.js';
import { button, code, el, field } from './elements.js';
import { filteredList } from './filtered-list.js';
import { isRefresh } from './looking.js';
import { clock, figure, t } from './words.js';

const textOf = (value) => (typeof value === 'object' ? JSON.stringify(value, withoutNulls) : String(value));
const withoutNulls = (_, value) => value ?? undefined;
const dataOf = (data) =>
  Object.entries(data ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ');

const COLUMNS = () => [
  { title: t('seq'), of: ({ seq }) => seq },
  { title: t('at'), of: ({ at }) => clock(at) },
  { title: t('operator'), of: ({ operator }) => operator, wide: true },
  { title: t('act'), of: ({ type }) => type },
  { title: t('data'), of: ({ data }) => code(dataOf(data)), wide: true },
];

const verdict = el('div', { 'aria-live': 'polite' });

async function verify() {
  const chain = await get('/ops/audit/verify');
  const sentence = chain.valid ? t('chainFine', { acts: figure(chain.acts) }) : t('chainBroken', chain);
  verdict.replaceChildren(el('p', chain.valid ? { class: 'card' } : { class: 'alert', role: 'alert' }, sentence));
}

const acts = filteredList({
  path: '/ops/audit',
  title: () => t('audit'),
  columns: COLUMNS,
  controls: () => [
    field({ name: 'operator', label: t('operator') }),
    field({ name: 'action', label: t('actType') }),
    el('button', { type: 'submit' }, t('filter')),
    button(t('verify'), verify, { class: 'quiet' }),
  ],
});

/** What operators did, and whether the log of it is whole. */
export async function showAudit() {
  if (!isRefresh()) verdict.replaceChildren();
  const [filter, list] = await acts();
  return [filter, verdict, list];
}
