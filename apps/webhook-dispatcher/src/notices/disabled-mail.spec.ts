import { describe, expect, it } from 'vitest';
import { type DisabledEndpoint, disabledMail } from './disabled-mail.ts';

const ENDPOINT = {
  endpoint_id: '01931c5e-0000-7000-8000-000000000001',
  module: 'seal',
  url: 'https://hooks.example.com/constancia',
  disabled_reason: 'gone',
  disabled_at: new Date(0),
  display_name: 'Orders',
} as DisabledEndpoint;

describe('the mail about a disabled endpoint', () => {
  it.each(['es-CO', 'en'] as const)('leads to the endpoint in the console (%s)', (locale) => {
    const surroundings = { retentionDays: 30, consoleUrl: 'https://console.example.com/' };
    const { subject, text, html } = disabledMail({ ...ENDPOINT, locale }, 'owner@example.com', surroundings);
    expect(text).toMatch(/^https:\/\/console\.example\.com\/developers\/endpoints#whe_\w+$/m);
    expect(subject).toContain('hooks.example.com');
    expect(text).toMatch(/signing|firma/);
    expect(html).toMatch(/<a href="https:\/\/console\.example\.com\/developers\/endpoints#whe_\w+">/);
  });

  it('has no link where nobody says where the console is', () => {
    const { text, html } = disabledMail({ ...ENDPOINT, locale: 'en' }, 'owner@example.com', { retentionDays: 30 });
    expect(text + html).not.toMatch(/href|console/);
    expect(text).toContain('PATCH /v1/webhook-endpoints/whe_');
  });
});
