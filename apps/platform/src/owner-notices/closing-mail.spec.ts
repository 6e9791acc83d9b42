import { describe, expect, it } from 'vitest';
import { CLOSING_KINDS, closingMail } from './closing-mail.ts';

const FACTS = { displayName: 'Notaría <Quinta>', slug: 'quinta', tenantId: 'b3b1' };
const NOTICE = { email: 'ana@n.example', closes_at: '2026-03-04T04:59:00.000Z', by: 'Ana Ruiz' };
const AT_THE_END = { ...NOTICE, credits_left: 1_234, credits_held: 80 };

describe('the mails about the closing of a tenant', () => {
  it.each([
    ['es-CO', '3 de marzo de 2026', 'DELETE /tenants/b3b1/closing'],
    ['en', 'March 3, 2026', 'DELETE /tenants/b3b1/closing'],
  ] as const)('in %s name the day in Bogotá, who asked, and how it is reconsidered', (locale, day, call) => {
    const { subject, text, html } = closingMail('tenant_closing_requested', { ...NOTICE, locale }, FACTS);
    expect(subject).toContain('Notaría <Quinta>');
    for (const part of ['Ana Ruiz', 'quinta', day, call]) expect(text).toContain(part);
    expect(html).toContain('Notaría &lt;Quinta&gt;');
    expect(closingMail('tenant_closing_reminder', { ...NOTICE, locale }, FACTS).text).toContain(day);
  });

  it('states the credits that were left at the end', () => {
    expect(closingMail('tenant_closed', { ...AT_THE_END, locale: 'en' }, FACTS).text).toContain('1,234');
    expect(closingMail('tenant_closed', { ...AT_THE_END, locale: 'es-CO' }, FACTS).text).toMatch(/1\.?234.*80/s);
  });

  it('say different things', () => {
    const texts = CLOSING_KINDS.map((kind) => closingMail(kind, { ...AT_THE_END, locale: 'es-CO' }, FACTS).text);
    expect(new Set(texts).size).toBe(CLOSING_KINDS.length);
  });
});
