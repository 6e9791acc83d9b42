import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { selfIssuedCertificate } from './self-issued-certificate.ts';

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a certificate that a key issues to itself', () => {
  const der = selfIssuedCertificate({ ...key, host: 'api.example.co' });
  const certificate = new X509Certificate(der);

  it('names the host, is valid now, and is signed with its own key', () => {
    expect(certificate.subject).toBe('CN=api.example.co');
    expect(certificate.issuer).toBe(certificate.subject);
    expect(certificate.checkHost('api.example.co')).toBe('api.example.co');
    expect(certificate.ca).toBe(false);
    expect(certificate.verify(key.publicKey)).toBe(true);
    expect(certificate.verify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toBe(false);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 300 * 86_400_000);
  });

  it('is read by openssl, as one for signatures', () => {
    const { stdout, status } = spawnSync('openssl', ['x509', '-inform', 'der', '-noout', '-text'], { input: der });
    expect(status).toBe(0);
    const text = stdout.toString();
    for (const part of ['Version: 3 (0x2)', 'ecdsa-with-SHA256', 'CA:FALSE', 'Digital Signature', 'DNS:api.example.co'])
      expect(text).toContain(part);
  });

  it('has no DNS name for an address', () => {
    const local = new X509Certificate(selfIssuedCertificate({ ...key, host: '127.0.0.1' }));
    expect([local.subject, local.subjectAltName]).toEqual(['CN=127.0.0.1', undefined]);
  });
});
