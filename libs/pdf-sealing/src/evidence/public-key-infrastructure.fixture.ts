import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const DAY_MS = 86_400_000;

/** Certificates of a test, made by openssl: a root, an intermediate, an OCSP responder and a revocation list behind HTTP. */
export interface PublicKeyInfrastructure {
  folder: string;
  /** Of the root, PEM. */
  rootFile: string;
  /** PEM of the intermediate. */
  intermediateFile: string;
  /** Issues a certificate for a new EC key, or for the key with this SubjectPublicKeyInfo. Answers the files. */
  issue(options: IssueOptions): { certificateFile: string; keyFile: string; pem: string };
  revoke(certificateFile: string): void;
  /** What answers from now on; both at first. */
  answer(sources: { ocsp: boolean; crl: boolean }): void;
  /** Requests so far, by path. */
  requests: string[];
  openssl(...args: string[]): string;
  close(): Promise<void>;
}

export interface IssueOptions {
  name: string;
  profile: 'signer' | 'authority';
  days: number;
  /** DER. The private key stays elsewhere. */
  spkiDer?: Buffer;
}

const profile = (usage: string, address: string) => `
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature,nonRepudiation
${usage}
authorityInfoAccess = OCSP;URI:${address}/ocsp,caIssuers;URI:${address}/intermediate.cer
crlDistributionPoints = URI:${address}/intermediate.crl
`;

const config = (address: string) => `
[ca]
default_ca = intermediate
[intermediate]
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
certificate = intermediate.pem
private_key = intermediate.key
default_md = sha256
default_crl_days = 30
policy = any
unique_subject = no
[root]
database = root-index.txt
new_certs_dir = .
serial = serial
crlnumber = root-crlnumber
certificate = root.pem
private_key = root.key
default_md = sha256
default_crl_days = 30
policy = any
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
[as_intermediate]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
authorityInfoAccess = caIssuers;URI:${address}/root.cer
crlDistributionPoints = URI:${address}/root.crl
[as_signer]
${profile('', address)}
[as_authority]
${profile('extendedKeyUsage = critical,timeStamping', address)}
[as_responder]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
`;

const asTime = (date: Date) => `${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;

export async function publicKeyInfrastructure(): Promise<PublicKeyInfrastructure> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pki-'));
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString();
  let answers = { ocsp: true, crl: true };
  const requests: string[] = [];

  const ocsp = (request: Buffer): Buffer => {
    fs.writeFileSync(file('ocsp.req'), request);
    openssl(
      ...['ocsp', '-index', 'index.txt', '-CA', 'intermediate.pem', '-rsigner', 'responder.pem', '-rkey', 'responder.key'],
      ...['-reqin', 'ocsp.req', '-respout', 'ocsp.resp', '-ndays', '7'],
    ); // prettier-ignore
    return fs.readFileSync(file('ocsp.resp'));
  };
  const kept = new Map<string, Buffer>();
  const asDer = (kind: 'x509' | 'crl', name: string): Buffer => {
    openssl(kind, '-in', `${name}.pem`, '-outform', 'DER', '-out', `${name}.out`);
    return fs.readFileSync(file(`${name}.out`));
  };
  const crl = (address: string): Buffer => {
    const name = address.slice(1, -4);
    openssl('ca', '-config', 'ca.cnf', '-name', name, '-gencrl', '-out', `${name}-crl.pem`);
    return asDer('crl', `${name}-crl`);
  };
  const answer = (address: string, body: Buffer): Buffer | undefined => {
    if (address === '/ocsp') return answers.ocsp ? ocsp(body) : undefined;
    if (address.endsWith('.crl') && !answers.crl) return undefined;
    const known = kept.get(address) ?? (address.endsWith('.cer') ? asDer('x509', address.slice(1, -4)) : crl(address));
    kept.set(address, known);
    return known;
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const address = request.url ?? '';
      requests.push(address);
      const body = answer(address, Buffer.concat(chunks));
      response.writeHead(body ? 200 : 503).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  fs.writeFileSync(file('ca.cnf'), config(address));
  for (const name of ['index.txt', 'root-index.txt']) fs.writeFileSync(file(name), '');
  for (const name of ['serial', 'crlnumber', 'root-crlnumber']) fs.writeFileSync(file(name), '1000\n');
  const newKey = (name: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', name];
  openssl(
    ...['req', '-x509', ...newKey('root.key'), '-out', 'root.pem', '-days', '3650', '-subj', '/CN=Test Root'],
    ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
  ); // prettier-ignore

  const sign = (name: string, authority: 'root' | 'intermediate', extensions: string, days: number) =>
    openssl(
      ...['ca', '-config', 'ca.cnf', '-name', authority, '-batch', '-notext', '-preserveDN', '-in', `${name}.csr`],
      ...['-out', `${name}.pem`, '-extensions', extensions],
      ...['-startdate', asTime(new Date(Date.now() - DAY_MS)), '-enddate', asTime(new Date(Date.now() + days * DAY_MS))],
    ); // prettier-ignore
  const requestFor = (name: string, subject: string) =>
    openssl('req', '-new', ...newKey(`${name}.key`), '-out', `${name}.csr`, '-subj', `/CN=${subject}`, '-config', 'ca.cnf'); // prettier-ignore
  requestFor('intermediate', 'Test Intermediate');
  sign('intermediate', 'root', 'as_intermediate', 3650);
  requestFor('responder', 'Test OCSP Responder');
  sign('responder', 'intermediate', 'as_responder', 3650);

  return {
    folder,
    rootFile: file('root.pem'),
    intermediateFile: file('intermediate.pem'),
    issue({ name, profile: as, days, spkiDer }) {
      requestFor(name, `Test ${name}`);
      sign(name, 'intermediate', `as_${as}`, days);
      if (spkiDer) {
        fs.writeFileSync(file('forced.der'), spkiDer);
        openssl('pkey', '-pubin', '-inform', 'DER', '-in', 'forced.der', '-out', 'forced.pem');
        openssl(
          ...['x509', '-req', '-in', `${name}.csr`, '-force_pubkey', 'forced.pem', '-CA', 'intermediate.pem'],
          ...['-CAkey', 'intermediate.key', '-set_serial', serialOf(openssl, name), '-days', `${days}`],
          ...['-extfile', 'ca.cnf', '-extensions', `as_${as}`, '-out', `${name}.pem`],
        ); // prettier-ignore
      }
      const pem = ['root', 'intermediate', name].reverse().map((one) => fs.readFileSync(file(`${one}.pem`), 'utf8')); // prettier-ignore
      return { certificateFile: file(`${name}.pem`), keyFile: file(`${name}.key`), pem: pem.join('') };
    },
    revoke(certificateFile) {
      openssl('ca', '-config', 'ca.cnf', '-revoke', certificateFile);
      kept.clear();
    },
    answer: (sources) => (answers = sources),
    requests,
    openssl,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close').catch(() => undefined);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The serial number that the authority's database knows the certificate by. */
const serialOf = (openssl: (...args: string[]) => string, name: string) =>
  `0x${openssl('x509', '-in', `${name}.pem`, '-noout', '-serial').trim().split('=')[1]}`;
