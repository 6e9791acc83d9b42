/** The pages of the development mailbox, as text. No script; HTML mails stand in a sandboxed frame. */

const WORDS = {
  es: {
    locale: 'es-CO',
    title: 'Buzón de desarrollo',
    about: 'Los correos y los mensajes que envía esta instalación local. Ninguno sale de este equipo.',
    mails: 'Correos',
    texts: 'Mensajes a teléfonos',
    text: 'Texto',
    channel: 'Canal',
    sms: 'Mensaje de texto',
    whatsapp: 'WhatsApp',
    emptyTexts: 'Todavía no hay mensajes.',
    to: 'Para',
    from: 'De',
    subject: 'Asunto',
    received: 'Recibido',
    zone: 'hora de Colombia',
    filter: 'Mostrar los de (correo o número)',
    show: 'Mostrar',
    all: 'Ver todos',
    refresh: 'Actualizar',
    empty: 'Todavía no hay correos.',
    emptyTo: 'No hay correos para esta dirección.',
    back: 'Volver al buzón',
    html: 'HTML',
    noText: 'Este correo no trae parte de texto.',
    noSubject: '(sin asunto)',
    missing: 'Este correo ya no está.',
    other: 'English',
    otherCode: 'en',
  },
  en: {
    locale: 'en',
    title: 'Development mailbox',
    about: 'The mails and messages that this local installation sends. None of them leaves this machine.',
    mails: 'Mails',
    texts: 'Messages to phones',
    text: 'Text',
    channel: 'Channel',
    sms: 'Text message',
    whatsapp: 'WhatsApp',
    emptyTexts: 'There are no messages yet.',
    to: 'To',
    from: 'From',
    subject: 'Subject',
    received: 'Received',
    zone: 'Colombia time',
    filter: 'Show those to (address or number)',
    show: 'Show',
    all: 'Show all',
    refresh: 'Refresh',
    empty: 'There are no mails yet.',
    emptyTo: 'There are no mails to this address.',
    back: 'Back to the mailbox',
    html: 'HTML',
    noText: 'This mail has no text part.',
    noSubject: '(no subject)',
    missing: 'This mail is not here any more.',
    other: 'Español',
    otherCode: 'es',
  },
};

const wordsOf = (language) => (language === 'en' ? WORDS.en : WORDS.es);

const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9e0; --soft: #5c6675; --link: #0b57d0; --card: #fff; --page: #f4f6f9; --ink: #1a2230 }
@media (prefers-color-scheme: dark) { :root { --line: #39414f; --soft: #a3adbd; --link: #8ab4f8; --card: #1d232d; --page: #12161d; --ink: #e8ebf1 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
a { color: var(--link) }
p.about, dt, td.when { color: var(--soft) }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 }
input { font: inherit; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; flex: 1 1 16rem }
button { font: inherit; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; cursor: pointer }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; overflow: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .6rem .8rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere }
td.when { white-space: nowrap }
tr:last-child td { border-bottom: 0 }
.empty { padding: 2rem; text-align: center; color: var(--soft) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 } dd { margin: 0; overflow-wrap: anywhere }
pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace }
iframe { display: block; width: 100%; height: 36rem; border: 0; background: #fff }
td .zone { display: none }
@media (max-width: 40rem) {
  main { padding: 1rem .75rem 3rem }
  h1 { font-size: 1.25rem }
  input, button { min-height: 2.75rem }
  header a, form a, .back a { display: inline-flex; align-items: center; min-height: 2.75rem }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table, tbody, tr, td { display: block }
  tr { padding: .75rem .8rem; border-bottom: 1px solid var(--line) }
  tr:last-child { border-bottom: 0 }
  td { padding: 0; border: 0 }
  td.subject a { display: block; padding: .25rem 0; font-weight: 600 }
  td.when { font-size: .875rem; white-space: normal }
  td .zone { display: inline }
  dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: .5rem }
  pre { padding: .75rem }
  iframe { height: 75vh }
}
`;

function page(words, title, body, path) {
  return `<!doctype html>
<html lang="${words.locale}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main>
<header><h1>${escaped(title)}</h1><a href="${escaped(path)}lang=${words.otherCode}" hreflang="${words.otherCode}" lang="${words.otherCode}">${words.other}</a></header>
${body}
</main></body></html>
`;
}

/** As clocks in Colombia show it, like the times in the mails, whatever the zone of this machine. */
const when = (words, iso) =>
  `<time datetime="${iso}">${new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'America/Bogota' }).format(new Date(iso))}</time><span class="zone"> (${words.zone})</span>`;

/** The lists, newest first; `to` is the address or number that they were asked for, or empty. */
export function listPage(mails, { language, to, texts = [] }) {
  const words = wordsOf(language);
  const lang = language === 'en' ? 'en' : 'es';
  const rows = mails.map(
    (mail) =>
      `<tr><td class="subject"><a href="/mail/${mail.id}?lang=${lang}">${escaped(mail.subject || words.noSubject)}</a></td>` +
      `<td>${escaped(mail.to)}</td><td class="when">${when(words, mail.received_at)}</td></tr>`,
  );
  const table = `<table><thead><tr><th scope="col">${words.subject}</th><th scope="col">${words.to}</th><th scope="col">${words.received} (${words.zone})</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const empty = `<p class="empty">${to ? words.emptyTo : words.empty}</p>`;
  const body = `<p class="about">${words.about}</p>
<form method="get" action="/"><label for="to">${words.filter}</label><input id="to" name="to" type="search" value="${escaped(to)}" autocomplete="off" spellcheck="false">
<input type="hidden" name="lang" value="${lang}"><button>${words.show}</button>${to ? `<a href="/?lang=${lang}">${words.all}</a>` : ''}<a href="/?lang=${lang}${to ? `&amp;to=${encodeURIComponent(to)}` : ''}">${words.refresh}</a></form>
<h2>${words.mails}</h2><div class="card">${rows.length > 0 ? table : empty}</div>
<h2>${words.texts}</h2><div class="card">${texts.length > 0 ? textTable(texts, words) : `<p class="empty">${words.emptyTexts}</p>`}</div>`;
  return page(words, words.title, body, to ? `/?to=${encodeURIComponent(to)}&` : '/?');
}

function textTable(texts, words) {
  const rows = texts.map(
    ({ channel, to, text, received_at }) =>
      `<tr><td class="subject">${escaped(text)}</td><td>${escaped(to)}</td><td>${words[channel]}</td><td class="when">${when(words, received_at)}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">${words.text}</th><th scope="col">${words.to}</th><th scope="col">${words.channel}</th><th scope="col">${words.received} (${words.zone})</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** One mail: its text with its links, and its HTML in a frame that runs nothing and loads nothing. */
export function mailPage(mail, { language }) {
  const words = wordsOf(language);
  const lang = language === 'en' ? 'en' : 'es';
  const framed = `<base target="_blank">${mail.html}`;
  const html = mail.html
    ? `<h2>${words.html}</h2><div class="card"><iframe title="${words.html}" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${escaped(framed)}"></iframe></div>`
    : '';
  const body = `<p class="back"><a href="/?lang=${lang}">${words.back}</a></p>
<dl><dt>${words.from}</dt><dd>${escaped(mail.from)}</dd><dt>${words.to}</dt><dd>${escaped(mail.to)}</dd><dt>${words.received}</dt><dd>${when(words, mail.received_at)}</dd></dl>
<h2>${words.text}</h2><div class="card"><pre>${mail.text ? linked(mail.text) : escaped(words.noText)}</pre></div>
${html}`;
  return page(words, mail.subject || words.noSubject, body, `/mail/${mail.id}?`);
}

export function missingPage({ language }) {
  const words = wordsOf(language);
  return page(words, words.missing, `<p><a href="/">${words.back}</a></p>`, '/?');
}

function linked(text) {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 === 1
        ? `<a href="${escaped(part)}" target="_blank" rel="noreferrer noopener">${escaped(part)}</a>`
        : escaped(part),
    )
    .join('');
}
