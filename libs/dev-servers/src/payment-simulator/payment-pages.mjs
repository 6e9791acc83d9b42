/** The pages of the payment simulator, as text. No script. */
import { ACTIONS } from './payment-book.mjs';

const WORDS = {
  es: {
    locale: 'es-CO',
    title: 'Simulador de pagos',
    about: 'Aquí no se mueve dinero: esta página hace lo que haría el proveedor de pagos.',
    pay: 'Pagar',
    approve: 'Aprobar el pago',
    pending: 'Dejarlo pendiente (PSE o efectivo)',
    reject: 'Rechazar el pago',
    otherAmount: 'Pagar otro valor',
    amount: 'Valor en COP',
    payments: 'Pagos',
    none: 'Todavía no hay pagos.',
    confirm: 'Confirmar',
    cancel: 'Cancelar',
    dispute: 'Abrir disputa',
    lose: 'Disputa perdida',
    win: 'Disputa ganada',
    refund: 'Devolver todo',
    refundHalf: 'Devolver la mitad',
    refunded: 'devuelto',
    back: 'Volver al comercio',
    checkouts: 'Cobros',
    faults: 'Fallas',
    save: 'Guardar',
    log: 'Avisos enviados',
    missing: 'Este cobro no existe.',
    refused: 'No fue posible',
  },
  en: {
    locale: 'en',
    title: 'Payment simulator',
    about: 'No money moves here: this page does what the payment provider would do.',
    pay: 'Pay',
    approve: 'Approve the payment',
    pending: 'Leave it pending (bank transfer or cash)',
    reject: 'Reject the payment',
    otherAmount: 'Pay another amount',
    amount: 'Amount in COP',
    payments: 'Payments',
    none: 'There are no payments yet.',
    confirm: 'Confirm',
    cancel: 'Cancel',
    dispute: 'Open a dispute',
    lose: 'Dispute lost',
    win: 'Dispute won',
    refund: 'Refund all',
    refundHalf: 'Refund half',
    refunded: 'refunded',
    back: 'Back to the merchant',
    checkouts: 'Checkouts',
    faults: 'Faults',
    save: 'Save',
    log: 'Callbacks sent',
    missing: 'There is no such checkout.',
    refused: 'That was not possible',
  },
};

export const wordsOf = (language) => (language === 'en' ? WORDS.en : WORDS.es);
const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const pesos = (amount, locale) => `${new Intl.NumberFormat(locale).format(amount)} COP`;

const STYLE = `
:root { color-scheme: light dark; --line: #c9cfd8; --soft: #4d5766; --card: #fff; --page: #f4f6f9; --ink: #1a2230; --go: #0b57d0; --on: #fff }
@media (prefers-color-scheme: dark) { :root { --line: #4a5363; --soft: #b3bccb; --card: #1d232d; --page: #12161d; --ink: #e8ebf1; --go: #8ab4f8; --on: #12161d } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem } a { color: var(--go) } p.soft { color: var(--soft) }
form { display: inline-flex; flex-wrap: wrap; gap: .5rem; margin: 0 .5rem .5rem 0; align-items: end }
button, input, select { font: inherit; padding: .55rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit }
button { cursor: pointer } button.go { background: var(--go); color: var(--on); border-color: var(--go) }
label { display: grid; gap: .2rem; color: var(--soft) }
li { margin: .5rem 0; overflow-wrap: anywhere } code { font-size: .9em }
`;

function page(words, title, body) {
  return `<!doctype html>
<html lang="${words.locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1><p class="soft">${words.about}</p>${body}</main></body></html>`;
}

const button = (address, label, { go = false, fields = '' } = {}) =>
  `<form method="post" action="${escaped(address)}">${fields}<button${go ? ' class="go"' : ''}>${escaped(label)}</button></form>`;

/** The page of a checkout: what a payer, and afterwards a bank, can do. */
export function checkoutPage(preference, payments, language) {
  const words = wordsOf(language);
  const at = (action) => `/checkout/${preference.id}/${action}`;
  const amount = `<label>${words.amount}<input name="amount" inputmode="numeric" required value="${preference.amount + 1000}"></label>`;
  const offers = [
    button(at('approve'), words.approve, { go: true }),
    button(at('pending'), words.pending),
    button(at('reject'), words.reject),
    button(at('approve'), words.otherAmount, { fields: amount }),
  ];
  const back = preference.back_urls.success;
  return page(
    words,
    `${words.pay}: ${pesos(preference.amount, words.locale)}`,
    `<p>${escaped(preference.title)} · <code>${escaped(preference.external_reference)}</code></p>
${offers.join('\n')}
<h2>${words.payments}</h2>
${payments.length === 0 ? `<p>${words.none}</p>` : `<ul>${payments.map((one) => paymentItem(one, words)).join('\n')}</ul>`}
${back ? `<p><a href="${escaped(back)}">${words.back}</a></p>` : ''}`,
  );
}

function paymentItem(payment, words) {
  const at = (action) => `/payments/${payment.id}/${action}`;
  const possible = Object.keys(ACTIONS).filter((action) => ACTIONS[action].from.includes(payment.status));
  const left = payment.transaction_amount - payment.transaction_amount_refunded;
  const half = `<input type="hidden" name="amount" value="${Math.floor(left / 2)}">`;
  const refunds =
    payment.status === 'approved' && left > 1
      ? [button(at('refund'), words.refund), button(at('refund'), words.refundHalf, { fields: half })]
      : [];
  const refunded =
    payment.transaction_amount_refunded > 0
      ? `, ${words.refunded} ${pesos(payment.transaction_amount_refunded, words.locale)}`
      : '';
  return `<li><code>${escaped(payment.id)}</code>: ${pesos(payment.transaction_amount, words.locale)}${refunded}, <strong>${escaped(payment.status)}</strong> (${escaped(payment.status_detail)})<br>
${possible.map((action) => button(at(action), words[action])).join('')}${refunds.join('')}</li>`;
}

/** The first page: every checkout, the switches of faults, and what was sent. */
export function overviewPage({ preferences, faults, log }, language) {
  const words = wordsOf(language);
  const items = preferences.map(
    (one) =>
      `<li><a href="/checkout/${one.id}">${escaped(one.external_reference || one.id)}</a>: ${pesos(one.amount, words.locale)}</li>`,
  );
  const choices = { unit: ['s', 'ms'], letter_case: ['received', 'lower', 'upper'] };
  const fields = Object.entries(faults).map(([name, value]) => {
    const options = choices[name] ?? (typeof value === 'boolean' ? ['false', 'true'] : null);
    const input = options
      ? `<select name="${name}">${options.map((one) => `<option${String(value) === one ? ' selected' : ''}>${one}</option>`).join('')}</select>`
      : `<input name="${name}" inputmode="numeric" value="${escaped(value)}">`;
    return `<label>${name}${input}</label>`;
  });
  const sent = log.map(
    ({ at, payment_id, outcome }) => `<li>${at} <code>${escaped(payment_id)}</code> ${escaped(outcome)}</li>`,
  );
  return page(
    words,
    words.title,
    `<h2>${words.checkouts}</h2><ul>${items.join('\n')}</ul>
<h2>${words.faults}</h2><form method="post" action="/__faults">${fields.join('')}<button>${words.save}</button></form>
<h2>${words.log}</h2><ul>${sent.join('\n')}</ul>`,
  );
}

/** What was asked for cannot be done. */
export function refusedPage(message, language) {
  const words = wordsOf(language);
  return page(words, words.refused, `<p role="alert">${escaped(message)}</p>`);
}
