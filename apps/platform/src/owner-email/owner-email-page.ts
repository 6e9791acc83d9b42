import type { DocumentPage } from '@constancia/http';

const WORDS = {
  'es-CO': {
    title: 'Confirme su dirección de correo',
    about: 'Al confirmarla, los correos a sus firmantes empiezan a salir.',
    button: 'Confirmar',
    done: 'La dirección quedó confirmada. Ya puede cerrar esta página.',
    refused: 'Este enlace ya se usó o venció. Pida otro correo con POST /tenants/{id}/owner-email/proof-mail.',
    limited: 'Demasiados intentos desde esta red. Espere 15 minutos e intente de nuevo.',
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
    failed: 'The address could not be confirmed at the moment. Try again.',
    incomplete: 'The link is incomplete: open it from the mail, or copy all of it.',
    script: 'This page needs JavaScript. You can also send the token with the call that the mail shows.',
  },
} as const; // prettier-ignore

/** The token is in the fragment, so that no server logs it. Mail scanners open links, so nothing happens until the button is pressed. */
const SCRIPT = `const button = document.querySelector('button');
const result = document.querySelector('[role=status]');
const words = document.querySelector('main').dataset;
const [, tenant, token] = /^#([0-9a-f-]{36})\\.(own_[0-9A-Za-z]{43})$/.exec(location.hash) ?? [];
if (token === undefined) result.textContent = words.incomplete;
else button.hidden = false;
button.addEventListener('click', async () => {
  button.disabled = true;
  let outcome = 'failed';
  try {
    const { status } = await fetch('/tenants/' + tenant + '/owner-email/proof', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    outcome = { 200: 'done', 401: 'refused', 429: 'limited' }[status] ?? 'failed';
  } catch {}
  result.textContent = words[outcome];
  if (outcome === 'done' || outcome === 'refused') button.hidden = true;
  else button.disabled = false;
});
`;

const OUTCOMES = ['done', 'refused', 'limited', 'failed', 'incomplete'] as const;

/** /owner-email: where the link of the mail to an owner leads. */
export const OWNER_EMAIL_PAGE: DocumentPage = {
  path: '/owner-email',
  files: { '/owner-email/page.js': { type: 'text/javascript; charset=utf-8', text: SCRIPT } },
  html: (language) => {
    const words = WORDS[language];
    return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${words.title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/problems/page.css" />
    <script src="/owner-email/page.js" defer></script>
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
  },
};
