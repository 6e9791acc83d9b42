import { describe, expect, it } from 'vitest';
import { recoveryMail } from './recovery-mail.ts';

const facts = {
  tenantId: '0199e0f0-0000-7000-8000-000000000001',
  displayName: 'Pérez & <b>Hijos</b>',
  token: `rec_${'a'.repeat(43)}`,
  baseUrl: 'https://api.example',
};

describe('the recovery mail', () => {
  it.each(['es-CO', 'en'] as const)('in %s has the token on a line of its own in the text, once', (locale) => {
    const { text } = recoveryMail(locale, facts);
    expect(text.split('\n')).toContain(facts.token);
    expect(text.split(facts.token)).toHaveLength(2);
    expect(text).toContain(`https://api.example/tenants/${facts.tenantId}/rotate-api-key`);
  });

  it.each(['es-CO', 'en'] as const)('in %s shows the tenant name as text, never as markup', (locale) => {
    const { html } = recoveryMail(locale, facts);
    expect(html).toContain('Pérez &amp; &lt;b&gt;Hijos&lt;/b&gt;');
    expect(html).not.toContain('<b>');
    expect(html).toContain(facts.token);
  });

  it('is written in the language asked for', () => {
    expect(recoveryMail('es-CO', facts).subject).toMatch(/^Recuperación/);
    expect(recoveryMail('en', facts).subject).toMatch(/^API key recovery/);
  });
});
