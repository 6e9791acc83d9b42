import type { DocumentPage } from '@constancia/http';

export const RETURN_PAGE_PATH = '/payment-return';

const WORDS = {
  'es-CO': {
    title: 'Gracias',
    about: 'El saldo se actualiza cuando el proveedor de pagos confirma el pago. Ya puede cerrar esta página.',
  },
  en: {
    title: 'Thank you',
    about: 'The balance is updated once the payment provider confirms the payment. You can close this page.',
  },
} as const;

/** /payment-return: where a payer arrives whose top-up has no return_url. */
export const RETURN_PAGE: DocumentPage = {
  path: RETURN_PAGE_PATH,
  files: {},
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
  </head>
  <body>
    <main>
      <h1>${words.title}</h1>
      <p>${words.about}</p>
    </main>
  </body>
</html>
`;
  },
};
