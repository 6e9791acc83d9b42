import { describe, expect, it } from 'vitest';
import { contentDisposition } from './content-disposition.ts';

const named = (title: string | null) => contentDisposition('inline', { title, usual: 'document', ending: 'pdf' });

describe('the name of a file', () => {
  it.each([
    [
      'Contrato de arriendo',
      `inline; filename="Contrato de arriendo.pdf"; filename*=UTF-8''Contrato%20de%20arriendo.pdf`,
    ],
    ['Pagaré Ñúñez', `inline; filename="Pagare Nunez.pdf"; filename*=UTF-8''Pagar%C3%A9%20%C3%91%C3%BA%C3%B1ez.pdf`],
    ['../etc/"passwd"\r\nX: 1', `inline; filename="etc passwd X 1.pdf"; filename*=UTF-8''etc%20passwd%20X%201.pdf`],
    ['合同', `inline; filename="document.pdf"; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf`],
    ['…', `inline; filename="document.pdf"; filename*=UTF-8''document.pdf`],
    [null, `inline; filename="document.pdf"; filename*=UTF-8''document.pdf`],
  ])('of the title %s', (title, header) => {
    expect(named(title)).toBe(header);
  });

  it('is cut between characters, and fits the published length', () => {
    const header = named('𝒜'.repeat(200));
    expect(decodeURIComponent(header.split("''")[1] as string)).toBe(`${'𝒜'.repeat(50)}.pdf`);
    expect(header.length).toBeLessThanOrEqual(1_000);
  });
});
