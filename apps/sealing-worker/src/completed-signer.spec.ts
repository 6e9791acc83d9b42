import { describe, expect, it } from 'vitest';
import { completedSigner } from './completed-signer.ts';
import type { EvidenceLink, SignerToSeal } from './envelope-rows.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 15, minute));
const link = (type: string, minute: number, data: Record<string, unknown> = {}, user_agent: string | null = null): EvidenceLink => ({
  ...{ type, at: at(minute).toISOString(), data, user_agent },
}); // prettier-ignore

function signer(more: Partial<SignerToSeal> = {}): SignerToSeal {
  return {
    id: '0197a0b0-0000-7000-8000-000000000000',
    role: 'buyer',
    email: 'ana@people.example',
    name: 'Ana Güiza',
    consent_version: '2026-11',
    consent_locale: 'es-CO',
    consent_sha256: Buffer.alloc(32, 1),
    consented_at: at(2),
    viewed_at: at(1),
    document_shown_sha256: Buffer.alloc(32, 2),
    auth: ['otp_email', 'access_code'],
    authenticated_at: at(5),
    signature_type: 'typed',
    signature_text: 'Ana G.',
    signature_image: null,
    signature_sha256: Buffer.alloc(32, 3),
    field_values: {},
    signed_at: at(9),
    signed_ip: '203.0.113.7',
    evidence: [],
    ...more,
  };
}

describe('what the certificate states about a signer', () => {
  it('names the way of sending a code that the signer chose, and the masked number', () => {
    const auth: SignerToSeal['auth'] = ['otp_sms', 'otp_whatsapp', 'access_code'];
    const evidence = [
      link('signer.otp_failed', 3, { method: 'otp_whatsapp' }),
      link('signer.authenticated', 4, { method: 'otp_whatsapp', destination_masked: '+57 ••• ••• 1234' }),
      link('signer.authenticated', 5, { method: 'access_code' }),
      link('signer.signed', 9),
    ];
    expect(completedSigner(signer({ auth, evidence }), []).authentications).toEqual([
      { method: 'otp_whatsapp', at: at(4), failures: 1, to: '+57 ••• ••• 1234' },
      { method: 'access_code', at: at(5), failures: 0 },
    ]);
  });

  it('takes each authentication, its wrong codes, the program and the page with the frame from the trail', () => {
    const evidence = [
      link('signer.link_opened', 1, {}, 'an earlier one'),
      link('signer.otp_failed', 3, { method: 'otp_email' }),
      link('signer.otp_failed', 3, { method: 'otp_email' }),
      link('signer.authenticated', 4, { method: 'otp_email' }),
      link('signer.otp_failed', 4, { method: 'access_code' }),
      link('signer.authenticated', 5, { method: 'access_code' }),
      link('signer.document_shown', 6),
      link('signer.document_shown', 7),
      link('signer.signed', 9, { frame_origin: 'https://shop.example' }, 'Mozilla/5.0'),
      link('signer.otp_failed', 10, { method: 'otp_email' }),
      link('signer.authenticated', 11, { method: 'otp_email' }),
    ];
    expect(completedSigner(signer({ evidence }), [])).toMatchObject({
      authentications: [
        { method: 'otp_email', at: at(4), failures: 2 },
        { method: 'access_code', at: at(5), failures: 1 },
      ],
      userAgent: 'Mozilla/5.0',
      frameOrigin: 'https://shop.example',
      linkOpenedAt: at(1),
      documentShownAt: at(6),
      documentShownSha256: '02'.repeat(32),
    });
  });

  it('says of a trail of the release before that the link was opened, not that the document was shown', () => {
    const evidence = [link('signer.viewed', 1), link('signer.signed', 9)];
    expect(completedSigner(signer({ evidence }), [])).toMatchObject({ linkOpenedAt: at(1), documentShownAt: null });
  });

  it('takes what was verified of an identity from the trail: the document, when and how', () => {
    const evidence = [
      link('signer.authenticated', 5, {
        method: 'identity',
        outcome: 'verified',
        document_type: 'CC',
        document_country: 'CO',
        methods: ['document', 'face'],
        liveness: 'active',
        verified_at: at(4).toISOString(),
        flow: { type: 'onboarding', code: 'default', version: 2 },
        session_id: 'fls_01kamx9d3sf0r8y7w2k4v6b1nq',
      }),
      link('signer.signed', 9),
    ];
    expect(completedSigner(signer({ auth: ['identity'], evidence }), []).authentications).toEqual([
      {
        method: 'identity',
        at: at(5),
        verified: {
          at: at(4),
          documentType: 'CC',
          documentCountry: 'CO',
          how: { liveness: 'active' },
          flow: { type: 'onboarding', code: 'default', version: 2 },
          sessionId: 'fls_01kamx9d3sf0r8y7w2k4v6b1nq',
        },
      },
    ]);
    const data = { ...evidence[0]?.data, methods: ['wallet'], liveness: null };
    const kept = { level: 'document_face', verified_at: at(1).toISOString(), proved_by: 'otp' };
    const ofKept = [link('signer.authenticated', 5, { ...data, kept }), link('signer.signed', 9)];
    expect(completedSigner(signer({ auth: ['identity'], evidence: ofKept }), []).authentications).toMatchObject([
      { verified: { at: at(4), how: { level: 'document_face', keptSince: at(1), provedBy: 'otp' } } },
    ]);
    expect(completedSigner(signer({ auth: ['identity'] }), []).authentications).toEqual([
      { method: 'identity', at: at(5), verified: null },
    ]);
  });

  it('is whole even when the trail records little', () => {
    expect(completedSigner(signer({ document_shown_sha256: null, signed_ip: null }), [])).toMatchObject({
      authentications: [
        { method: 'otp_email', at: at(5), failures: 0 },
        { method: 'access_code', at: at(5), failures: 0 },
      ],
      ip: null,
      userAgent: null,
      frameOrigin: null,
      documentShownSha256: '',
    });
  });
});
