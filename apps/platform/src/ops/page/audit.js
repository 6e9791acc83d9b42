import { get } from './api.js';
import { button, code, el, field, table, valuesOf } from './elements.js';
import { clock, figure, t } from './words.js';

let kept = {};

const textOf = (value) => (typeof value === 'object' ? JSON.stringify(value, withoutNulls) : String(value));
const withoutNulls = (_, value) => value ?? undefined;
const dataOf = (data) =>
  Object.entries(data ?? {})
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join(' ');

/** What operators did, and whether the log of it is whole. */
export async function showAudit() {
  const list = el('div');
  const state = el('div', { 'aria-live': 'polite' });
  const find = async (cursor) => {
    const { data, next_cursor: next } = await get('/ops/audit', { ...kept, cursor });
    const more = next && button(t('more'), () => find(next), { class: 'quiet' });
    list.replaceChildren(
      data.length > 0 ? actsTable(data) : el('p', {}, t('none')),
      el('div', { class: 'actions' }, more),
    );
  };
  const verify = async () => {
    const chain = await get('/ops/audit/verify');
    const sentence = chain.valid ? t('chainFine', { acts: figure(chain.acts) }) : t('chainBroken', chain);
    state.replaceChildren(el('p', chain.valid ? { class: 'card' } : { class: 'alert', role: 'alert' }, sentence));
  };
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
    field({ name: 'operator', label: t('operator') }),
    field({ name: 'action', label: t('actType') }),
    el('button', { type: 'submit' }, t('filter')),
    button(t('verify'), verify, { class: 'quiet' }),
  );
  for (const [name, value] of Object.entries(kept)) form.elements[name].value = value;
  await find();
  return [form, state, list];
}

function actsTable(acts) {
  return table(
    t('audit'),
    [
      { title: t('seq'), of: ({ seq }) => seq },
      { title: t('at'), of: ({ at }) => clock(at) },
      { title: t('operator'), of: ({ operator }) => operator, wide: true },
      { title: t('act'), of: ({ type }) => type },
      { title: t('data'), of: ({ data }) => code(dataOf(data)), wide: true },
    ],
    acts,
  );
}
