import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  publicKeyInfrastructure,
  type PublicKeyInfrastructure,
} from '../evidence/public-key-infrastructure.fixture.ts';
import { certificateChain, chainFaultAt, checkedChain, LONGEST_CHAIN } from './certificate-chain.ts';
import { certificateFacts } from './certificate-facts.ts';

const opensslThere = spawnSync('openssl', ['version']).error === undefined;
const DAY_MS = 86_400_000;

describe.skipIf(!opensslThere)('a certificate chain from outside', () => {
  let pki: PublicKeyInfrastructure;
  let pem: string;
  let leaf: string;

  const read = (file: string) => fs.readFileSync(file, 'utf8');
  const selfSigned = (name: string, ...extensions: string[]): string => {
    const file = path.join(pki.folder, `${name}.pem`);
    pki.openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`],
      ...['-out', file, '-days', '30', '-subj', `/CN=${name}`, '-config', 'ca.cnf'],
      ...extensions.flatMap((extension) => ['-addext', extension]),
    ); // prettier-ignore
    return read(file);
  };

  beforeAll(async () => {
    pki = await publicKeyInfrastructure();
    const issued = pki.issue({ name: 'signer', profile: 'signer', days: 20 });
    pem = issued.pem;
    leaf = read(issued.certificateFile);
  }, 30_000);
  afterAll(() => pki.close());

  const fault = (text: string, now?: Date): unknown => {
    try {
      return checkedChain(text, now);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it('is read with its issuers, the nearest first, whatever else the file says', () => {
    const { certificateDer, chainDer } = checkedChain(`Bag attributes\n${pem}`);
    const names = [certificateDer, ...chainDer].map((der) => certificateFacts(der).subject);
    expect(names).toEqual(['CN=Test signer', 'CN=Test Intermediate', 'CN=Test Root']);
    expect(certificateFacts(certificateDer).issuer).toBe('CN=Test Intermediate');
    expect(checkedChain(leaf).chainDer).toEqual([]);
  });

  it('is refused when it cannot be read, or has a private key', () => {
    expect(fault('')).toBe('wrong_format');
    expect(fault('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')).toBe('wrong_format');
    expect(fault(pem + read(path.join(pki.folder, 'signer.key')))).toBe('private_key');
  });

  it('is refused out of order, with a gap, and with an issuer that is no authority', () => {
    const [first, second, third] = pem.match(/-----BEGIN[\s\S]*?-----END CERTIFICATE-----\n/g) as string[];
    expect(fault(`${first}${third}`)).toBe('wrong_order');
    expect(fault(`${second}${first}`)).toBe('wrong_order');
    expect(fault(pem + (third as string).repeat(LONGEST_CHAIN))).toBe('too_many');
    const pretended = selfSigned(
      'pretended',
      'basicConstraints=critical,CA:false',
      'keyUsage=critical,digitalSignature',
    );
    expect(fault(pretended)).not.toBe('wrong_order');
    expect(fault(pretended + pretended)).toBe('wrong_order');
  });

  it('is refused before and after the time of any of its certificates', () => {
    expect(fault(pem, new Date(Date.now() - 3 * DAY_MS))).toBe('not_yet_valid');
    expect(fault(pem, new Date(Date.now() + 21 * DAY_MS))).toBe('expired');
    expect(chainFaultAt(certificateChain(pem), new Date())).toBeNull();
    expect(chainFaultAt(certificateChain(pem), new Date(Date.now() + 21 * DAY_MS))).toBe('expired');
  });

  it('is refused when its first certificate is an authority, or is not for signatures', () => {
    expect(fault(read(pki.intermediateFile) + read(pki.rootFile))).toBe('not_for_signatures');
    expect(fault(selfSigned('agreement', 'basicConstraints=CA:false', 'keyUsage=keyAgreement'))).toBe(
      'not_for_signatures',
    );
    expect(fault(selfSigned('anything', 'basicConstraints=CA:false'))).toBe('not_for_signatures');
    expect(checkedChain(selfSigned('signs', 'basicConstraints=CA:false', 'keyUsage=nonRepudiation'))).toBeDefined();
  });
});
