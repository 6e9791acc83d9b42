import { LanguageProvider } from '@constancia/web';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, expect, it, vi } from 'vitest';
import type { OpenDocument } from '../document/open-document.tsx';
import { useReadable } from '../document/use-readable.ts';
import { MESSAGES } from '../text/language.ts';
import { Read } from './read.tsx';

vi.stubGlobal('location', { href: 'https://firma.example/sign', search: '' });
afterAll(() => void vi.unstubAllGlobals());

const { notYet } = MESSAGES['es-CO'].read;

function Reading({ open }: { open: OpenDocument }) {
  const { readable } = useReadable(open);
  return createElement(Read, { places: 2, readable, onDone: () => undefined });
}

const shown = (open: OpenDocument): string =>
  renderToStaticMarkup(
    createElement(LanguageProvider, { messages: MESSAGES, children: createElement(Reading, { open }) }),
  );

it.each([
  { phase: 'closed' },
  { phase: 'opening' },
  { phase: 'ready', pdf: {}, firstPage: {} },
] as unknown as OpenDocument[])('cannot be confirmed as read before a page is drawn, and says why: $phase', (open) => {
  const page = shown(open);
  expect(page).toMatch(/<button[^>]*aria-disabled="true"[^>]*aria-describedby="not-readable"/);
  expect(page).toContain(`id="not-readable">${notYet}</p>`);
});

it('does not block anybody when the document cannot be shown: it can be downloaded', () => {
  const page = shown({ phase: 'failed', later: false });
  expect(page).not.toContain('aria-disabled');
  expect(page).not.toContain(notYet);
});
