import { get } from './api.js';
import { el, field, table, valuesOf } from './elements.js';
import { tenantField } from './filters.js';
import { isRefresh } from './looking.js';
import { figure, t } from './words.js';

/** What the last verification found. */
let outcome;

/** Whether every balance follows from its entries and holds. */
export async function showLedger() {
  if (!isRefresh()) outcome = el('div', { 'aria-live': 'polite' });
  const form = el(
    'form',
    {
      class: 'filter keeps',
      onsubmit: (event) => {
        event.preventDefault();
        void verify(valuesOf(form), outcome);
      },
    },
    field(tenantField()),
    el('button', { type: 'submit' }, t('verifyLedger')),
  );
  return [el('p', {}, t('ledgerAbout')), form, outcome];
}

async function verify(filter, outcome) {
  const found = await get('/ops/ledger/verify', filter);
  const { faults, entries, tenants, open_holds: open, stale_holds: stale } = found;
  const fine = faults.length === 0 && found.drift_credits === 0;
  const counts = { entries: figure(entries), tenants: figure(tenants), faults: figure(faults.length) };
  outcome.replaceChildren(
    el(
      'p',
      fine ? { class: 'card' } : { class: 'alert', role: 'alert' },
      t(fine ? 'ledgerFine' : 'ledgerWrong', counts),
    ),
    el('p', {}, t('holdsOpen', { open: figure(open), stale: figure(stale) })),
    ...(faults.length > 0 ? [faultTable(faults)] : []),
  );
}

function faultTable(faults) {
  return table(
    t('ledger'),
    [
      { title: t('tenantShort'), of: ({ slug }) => slug },
      { title: t('what'), of: ({ what }) => what, wide: true },
      { title: t('expected'), of: ({ expected }) => String(expected ?? '–') },
      { title: t('found'), of: ({ found }) => String(found ?? '–') },
    ],
    faults,
  );
}
