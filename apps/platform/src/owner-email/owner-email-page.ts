import type { DocumentPage } from '@constancia/http';

type PageLanguage = Parameters<DocumentPage['html']>[0];

const WORDS = {
  'es-CO': {
    title: 'Confirme su dirección de correo',
    about: 'Al confirmarla, los correos a sus firmantes empiezan a salir.',
    button: 'Confirmar',
    done: 'La dirección quedó confirmada. Ya puede cerrar esta página.',
    refused: 'Este enlace ya se usó o venció. Pida otro correo con POST /tenants/{id}/owner-email/proof-mail.',
    limited: 'Demasiados intentos desde esta red. Espere 15 minutos e intente de nuevo.',
    suspended: 'El servicio de esta organización está suspendido. Este enlace sirve de nuevo cuando se reanude.',
    failed: 'No fue posible confirmarla en este momento. Intente de nuevo.',
    incomplete: 'El enlace está incompleto: ábralo desde el correo, o cópielo entero.',
    script: 'Esta página necesita JavaScript. También puede usar el código del correo con la llamada que aparece en él.',
  },
  en: {
    title: 'Confirm your mail address',
    about: 'Once it is confirmed, mails to your signers are sent.',
    button: 'Confirm',
    done: 'The address is confirmed. You can close this page.',
    refused: 'This link was already used or has expired. Request another mail: POST /tenants/{id}/owner-email/proof-mail.',
    limited: 'Too many attempts from this network. Wait 15 minutes and try again.',
    suspended: 'The service of this organization is suspended. This link works again once it is resumed.',
    failed: 'The address could not be confirmed at the moment. Try again.',
    incomplete: 'The link is incomplete: open it from the mail, or copy all of it.',
    script: 'This page needs JavaScript. You can also send the token with the call that the mail shows.',
  },
} as const; // prettier-ignore

/** The token is in the fragment, so that no server logs it. Mail scanners open links, so nothing happens until the button is pressed. */
const scriptFor = (operation: 'proof' | 'stop') => `const button = document.querySelector('button');
const result = document.querySelector('[role=status]');
const words = document.querySelector('main').dataset;
const [, tenant, token] = /^#([0-9a-f-]{36})\\.(own_[0-9A-Za-z]{43})$/.exec(location.hash) ?? [];
if (token === undefined) result.textContent = words.incomplete;
else button.hidden = false;
button.addEventListener('click', async () => {
  button.disabled = true;
  let outcome = 'failed';
  try {
    const { status } = await fetch('/tenants/' + tenant + '/owner-email/${operation}', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    outcome = { 200: 'done', 401: 'refused', 403: 'suspended', 429: 'limited' }[status] ?? 'failed';
  } catch {}
  result.textContent = words[outcome];
  if (outcome === 'done' || outcome === 'refused') button.hidden = true;
  else button.disabled = false;
});
`;

const OUTCOMES = ['done', 'refused', 'suspended', 'limited', 'failed', 'incomplete'] as const;

type Words = Record<'title' | 'about' | 'button' | 'script' | (typeof OUTCOMES)[number], string>;

/** What the two pages for changes of an address say in the same words. */
const ALIKE = {
  'es-CO': {
    suspended: WORDS['es-CO'].suspended,
    limited: WORDS['es-CO'].limited,
    incomplete: WORDS['es-CO'].incomplete,
    script: WORDS['es-CO'].script,
  },
  en: {
    suspended: WORDS.en.suspended,
    limited: WORDS.en.limited,
    incomplete: WORDS.en.incomplete,
    script: WORDS.en.script,
  },
};

const CHANGE_WORDS: Record<PageLanguage, Words> = {
  'es-CO': {
    ...ALIKE['es-CO'],
    title: 'Confirme la nueva dirección del propietario',
    about: 'Al confirmarla reemplaza a la anterior: aquí llegarán los avisos, y con ella se ingresa a la consola.',
    button: 'Confirmar',
    done: 'La dirección quedó confirmada y reemplazó a la anterior. Ya puede cerrar esta página.',
    refused: 'Este enlace ya se usó, venció, o el cambio se detuvo. Un propietario puede pedirlo de nuevo.',
    failed: 'No fue posible confirmarla en este momento. Intente de nuevo.',
  },
  en: {
    ...ALIKE.en,
    title: 'Confirm the new address of the owner',
    about: 'Once confirmed it replaces the former one: notices come here, and it is what the owner signs in with.',
    button: 'Confirm',
    done: 'The address is confirmed and has replaced the former one. You can close this page.',
    refused: 'This link was already used or has expired, or the change was stopped. An owner can ask for it again.',
    failed: 'The address could not be confirmed at the moment. Try again.',
  },
};

const STOP_WORDS: Record<PageLanguage, Words> = {
  'es-CO': {
    ...ALIKE['es-CO'],
    title: 'Detener el cambio de dirección',
    about: 'La dirección del propietario sigue siendo la de ahora. El enlace que se envió a la otra deja de servir.',
    button: 'Detener el cambio',
    done: 'El cambio se detuvo. Ya puede cerrar esta página.',
    refused: 'Este enlace ya no sirve: el cambio se hizo, se detuvo o se reemplazó por otro.',
    failed: 'No fue posible detenerlo en este momento. Intente de nuevo.',
    script: 'Esta página necesita JavaScript.',
  },
  en: {
    ...ALIKE.en,
    title: 'Stop the change of the address',
    about: 'The address of the owner stays as it is. The link that was mailed to the other address stops working.',
    button: 'Stop the change',
    done: 'The change was stopped. You can close this page.',
    refused: 'This link no longer works: the change was made, stopped, or replaced by another one.',
    failed: 'The change could not be stopped at the moment. Try again.',
    script: 'This page needs JavaScript.',
  },
};

/** /owner-email: where the link of the mail to an owner leads. */
export const OWNER_EMAIL_PAGE = tokenPage('/owner-email', 'proof', WORDS);
/** /owner-email-change: confirms another address. */
export const OWNER_EMAIL_CHANGE_PAGE = tokenPage('/owner-email-change', 'proof', CHANGE_WORDS);
/** /owner-email-stop: keeps the present address. */
export const OWNER_EMAIL_STOP_PAGE = tokenPage('/owner-email-stop', 'stop', STOP_WORDS);

/** A page with one button, which sends the token of its address to the operation. */
function tokenPage(path: string, operation: 'proof' | 'stop', words: Record<PageLanguage, Words>): DocumentPage {
  const text = scriptFor(operation);
  return {
    path,
    files: { [`${path}/page.js`]: { type: 'text/javascript; charset=utf-8', text } },
    html: (language) => htmlOf(path, language, words[language]),
  };
}

function htmlOf(path: string, language: PageLanguage, words: Words): string {
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${words.title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/problems/page.css" />
    <script src="${path}/page.js" defer></script>
  </head>
  <body>
    <main ${OUTCOMES.map((outcome) => `data-${outcome}="${words[outcome]}"`).join(' ')}>
      <h1>${words.title}</h1>
      <p>${words.about}</p>
      <p><button type="button" hidden>${words.button}</button></p>
      <p role="status"></p>
      <noscript><p>${words.script}</p></noscript>
    </main>
  </body>
</html>
`;
}
