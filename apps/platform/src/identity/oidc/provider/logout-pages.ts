import type { Context } from 'oidc-provider';

const LOCALES = ['es', 'en'] as const;

const WORDS = {
  es: {
    title: 'Cerrar sesión',
    question: '¿Quiere cerrar la sesión de su billetera en este navegador?',
    yes: 'Sí, cerrar la sesión',
    no: 'No, seguir con la sesión abierta',
    done: 'La sesión está cerrada. Ya puede cerrar esta página.',
  },
  en: {
    title: 'Sign out',
    question: 'Do you want to sign out of your wallet in this browser?',
    yes: 'Yes, sign out',
    no: 'No, stay signed in',
    done: 'You are signed out. You can close this page.',
  },
} as const;

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:30rem;padding:2rem 1rem;color:#1b1f24;background:#fff}' +
  'button{font:inherit;display:block;width:100%;padding:.75rem;margin:.75rem 0;border:1px solid #0b5cad;border-radius:.5rem;' +
  'background:#fff;color:#0b5cad}button.primary{background:#0b5cad;color:#fff}' +
  '@media (prefers-color-scheme:dark){body{color:#f0f3f6;background:#14181d}button{background:#14181d;color:#8ec5ff;border-color:#8ec5ff}' +
  'button.primary{background:#8ec5ff;color:#14181d}}';

/** The pages of this host that hold a form. The form may lead on to the address that the client has registered, and nowhere else. */
export function pagePolicy(context: Context): string {
  const next = context.oidc?.session?.state?.postLogoutRedirectUri;
  const origin = next === undefined ? '' : ` ${new URL(next).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    `form-action 'self'${origin}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function page(context: Context, body: (words: (typeof WORDS)[(typeof LOCALES)[number]]) => string): string {
  const locale = context.acceptsLanguages(...LOCALES) || 'es';
  const words = WORDS[locale as keyof typeof WORDS];
  return (
    `<!doctype html><html lang="${locale === 'es' ? 'es-CO' : 'en'}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${words.title}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${words.title}</h1>${body(words)}</main></body></html>`
  );
}

/** @param form without buttons, as the library writes it; its id is op.logoutForm */
export function logoutSource(context: Context, form: string): void {
  context.body = page(
    context,
    ({ question, yes, no }) =>
      `<p>${question}</p>${form}` +
      `<button class="primary" type="submit" form="op.logoutForm" name="logout" value="yes">${yes}</button>` +
      `<button type="submit" form="op.logoutForm">${no}</button>`,
  );
}

export function postLogoutSuccessSource(context: Context): void {
  context.body = page(context, ({ done }) => `<p>${done}</p>`);
}
