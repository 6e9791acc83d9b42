import { PROBLEMS, type ProblemSlug } from '@constancia/contracts';
import type { FastifyInstance } from 'fastify';
import { NotFound } from '@constancia/problem-json';
import { escapeHtml } from '@constancia/kernel';
import { DOCUMENT_PAGE, sendPage } from './document-pages.ts';
import { problemText, type PageLanguage } from './problem-texts.ts';
import { sendFile, staticFile } from './static-file.ts';

const WORDS = {
  'es-CO': { what: 'Qué hacer', answer: 'Así responde el servicio', status: 'Estado HTTP', other: 'Otros problemas' },
  en: { what: 'What to do', answer: 'What the service answers', status: 'HTTP status', other: 'Other problems' },
} as const;

/** /problems/<slug>: the page that `type` of a problem points to, in Spanish and in English. Without any script. */
export function registerProblemPages(server: FastifyInstance, baseUrl: string): void {
  const style = staticFile(Buffer.from(STYLE), 'text/css; charset=utf-8');
  server.get('/problems/page.css', DOCUMENT_PAGE, (request, reply) =>
    sendFile(style, request, reply, 'public, max-age=3600'),
  );
  server.get<{ Params: { slug: string } }>('/problems/:slug', DOCUMENT_PAGE, (request, reply) => {
    const { slug } = request.params;
    if (!Object.hasOwn(PROBLEMS, slug)) throw new NotFound();
    const html = (language: PageLanguage) => pageHtml(slug as ProblemSlug, language, baseUrl);
    return sendPage(html, request, reply, 'public, max-age=3600');
  });
}

function pageHtml(slug: ProblemSlug, language: PageLanguage, baseUrl: string): string {
  const words = WORDS[language];
  const { title, help } = problemText(slug, language);
  const { status } = PROBLEMS[slug];
  const example = {
    type: `${baseUrl}/problems/${slug}`,
    title: PROBLEMS[slug].title,
    status,
    detail: '…',
    instance: '/v1/…',
    request_id: '…',
  };
  const others = (Object.keys(PROBLEMS) as ProblemSlug[])
    .filter((other) => other !== slug)
    .map(
      (other) => `<li><a href="/problems/${other}">${other}</a> ${escapeHtml(problemText(other, language).title)}</li>`,
    );
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)}: ${slug}</title>
    <link rel="stylesheet" href="/problems/page.css" />
  </head>
  <body>
    <main>
      <p class="slug"><code>${slug}</code> <span>${words.status} ${status}</span></p>
      <h1>${escapeHtml(title)}</h1>
      <h2>${words.what}</h2>
      <p>${escapeHtml(help)}</p>
      <h2>${words.answer}</h2>
      <pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>
      <details>
        <summary>${words.other}</summary>
        <ul>
          ${others.join('\n          ')}
        </ul>
      </details>
    </main>
  </body>
</html>
`;
}

const STYLE = `:root { color-scheme: light dark; --ink: #1c2430; --quiet: #5b6675; --paper: #fbfaf7; --line: #d9d5cb; --mark: #0a5c8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaee; --quiet: #9aa5b4; --paper: #14181f; --line: #323a46; --mark: #7cc4ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 4rem 1.25rem; }
h1 { margin: 0 0 2rem; font-size: 2rem; line-height: 1.2; text-wrap: balance; }
h2 { margin: 2rem 0 0.25rem; font-size: 0.9rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--quiet); }
.slug { display: flex; gap: 1rem; align-items: baseline; margin: 0 0 0.5rem; color: var(--quiet); }
.slug code { color: var(--mark); font-weight: 600; }
code, pre { font: 0.9em/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; }
details { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
summary { cursor: pointer; color: var(--quiet); }
a { color: var(--mark); }
button { min-height: 2.75rem; padding: 0.5rem 1.25rem; border: 0; border-radius: 6px; background: var(--mark); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 3px; }
`;
