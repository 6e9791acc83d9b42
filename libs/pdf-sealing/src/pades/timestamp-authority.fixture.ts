import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CONFIG = `
[tsa]
default_tsa = local
[local]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

/** A time-stamping authority: `openssl ts -reply` behind HTTP. */
export interface LocalTimestampAuthority {
  url: string;
  /** Replies by themselves, for tests without HTTP. */
  reply(query: Buffer): Promise<Buffer>;
  /** What it answers instead from now on; undefined: tokens again. */
  answer(instead: { status: number; body?: Buffer } | 'silence' | undefined): void;
  /** Signs with another certificate from now on. */
  certify(certificate: AuthorityCertificate): void;
  close(): Promise<void>;
}

/** Files, PEM: a certificate for time-stamping, its key, and the certificates that the tokens carry besides. */
export interface AuthorityCertificate {
  certificateFile: string;
  keyFile: string;
  chainFile: string;
}

/** @param certificate left out: self-signed */
export async function localTimestampAuthority(certificate?: AuthorityCertificate): Promise<LocalTimestampAuthority> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tsa-'));
  fs.writeFileSync(path.join(folder, 'tsa.cnf'), CONFIG);
  fs.writeFileSync(path.join(folder, 'serial'), '01\n');
  let used: Partial<AuthorityCertificate> = certificate ?? {};
  if (!certificate) execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'tsa.key', '-out', 'tsa.pem', '-days', '30', '-subj',
      '/CN=Local TSA', '-addext', 'extendedKeyUsage=critical,timeStamping', '-addext', 'keyUsage=critical,digitalSignature'],
    { cwd: folder, stdio: 'pipe' },
  ); // prettier-ignore
  let instead: { status: number; body?: Buffer } | 'silence' | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const oneReply = async (query: Buffer): Promise<Buffer> => {
    const name = randomUUID();
    const { certificateFile = 'tsa.pem', keyFile = 'tsa.key', chainFile } = used;
    fs.writeFileSync(path.join(folder, `${name}.tsq`), query);
    await run(
      'openssl',
      ['ts', '-reply', '-config', 'tsa.cnf', '-queryfile', `${name}.tsq`, '-signer', certificateFile, '-inkey', keyFile, '-out', `${name}.tsr`, ...(chainFile ? ['-chain', chainFile] : [])],
      { cwd: folder },
    ); // prettier-ignore
    return fs.readFileSync(path.join(folder, `${name}.tsr`));
  };
  /** One at a time: they share the file of serial numbers. */
  const reply = (query: Buffer): Promise<Buffer> => {
    const mine = turn.catch(() => undefined).then(() => oneReply(query));
    turn = mine;
    return mine;
  };
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (instead === 'silence') return;
      if (instead) return void response.writeHead(instead.status).end(instead.body);
      reply(Buffer.concat(chunks)).then(
        (body) => response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(body),
        () => response.writeHead(500).end(),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    reply,
    answer: (next) => (instead = next),
    certify: (next) => (used = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await turn.catch(() => undefined);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
