import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Database } from '@constancia/persistence';
import { NO_POOLER, poolerInstalled, startPooler, testDatabase, type TestDatabase } from '@constancia/testing';
import type { IConfigMap } from 'kubernetes-models/v1';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { committedEnvironments } from '../environments.ts';
import { objectsOf } from '../kustomization.ts';
import { one } from '../policies/subject.ts';

const production = committedEnvironments().find(({ pooler }) => pooler.enabled);

/** A certificate for `localhost`, and the authority that signed it, by openssl. */
function certificates(folder: string): void {
  const openssl = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  fs.writeFileSync(path.join(folder, 'san'), 'subjectAltName=DNS:localhost\n');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=An authority', '-days', '1');
  openssl('req', ...key, '-keyout', 'tls.key', '-out', 'tls.csr', '-subj', '/CN=pooler');
  openssl('x509', '-req', '-in', 'tls.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'tls.crt', '-days', '1', '-extfile', 'san'); // prettier-ignore
  for (const file of ['tls.key', 'tls.crt']) fs.chmodSync(path.join(folder, file), 0o644);
}

describe.skipIf(!poolerInstalled)(
  poolerInstalled ? 'the rendered settings of the pooler, in pgbouncer' : NO_POOLER,
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'constancia-pooler-tls-'));
    let store: TestDatabase;

    beforeAll(async () => {
      fs.chmodSync(folder, 0o755);
      certificates(folder);
      store = await testDatabase();
    });
    afterAll(async () => {
      await store?.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    it('let in who checks the certificate, over TLS alone, and the renewed one after SIGHUP', async () => {
      const rendered = one<IConfigMap>(objectsOf(`deploy/pooler/overlays/${production?.name}`), 'ConfigMap');
      const { hostname, port, pathname } = new URL(store.adminUrl);
      const pooler = await startPooler({
        serverUrl: inject('postgresUrl'),
        poolSize: 1,
        // As rendered, but for what is elsewhere here: the server, which has no TLS in tests, and the files.
        configuration: ({ port: listenPort, users }) =>
          (rendered.data?.['pgbouncer.ini'] as string)
            .replace(/^constancia = .*$/m, `${pathname.slice(1)} = host=${hostname} port=${port}`)
            .replace('server_tls_sslmode = verify-full', 'server_tls_sslmode = disable')
            .replace(/^server_tls_ca_file.*\n/m, '')
            .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
            .replace('listen_port = 6432', `listen_port = ${listenPort}`)
            .replace('/etc/pooler/secret/users.txt', users)
            .replaceAll('/etc/pooler/tls', folder),
      });
      const through = (host: string, parameters: string) => {
        const url = new URL(pooler.through(store.app('signing')));
        url.hostname = host;
        return `${url.href}?${parameters}`;
      };
      const ask = async (url: string) => {
        const database = await Database.connect({ url, directUrl: store.app('signing'), applicationName: 'test' });
        try {
          return await database.query<{ one: number }>('select 1 as one');
        } finally {
          await database.close();
        }
      };
      try {
        const ca = `sslrootcert=${folder}/ca.crt`;
        expect(await ask(through('localhost', `sslmode=verify-full&${ca}`))).toEqual([{ one: 1 }]);
        await expect(ask(through('127.0.0.1', `sslmode=verify-full&${ca}`))).rejects.toThrow(/IP|altnames/);
        await expect(ask(through('localhost', 'sslmode=verify-full'))).rejects.toThrow(/certificate/);
        await expect(ask(through('localhost', 'sslmode=disable'))).rejects.toThrow();

        certificates(folder); // as cert-manager renews them, here with another authority
        const renewed = through('localhost', `sslmode=verify-full&${ca}`);
        await expect(ask(renewed)).rejects.toThrow(/certificate/);
        pooler.reload();
        await expect.poll(async () => ask(renewed).catch(String)).toEqual([{ one: 1 }]);
      } finally {
        await pooler.remove();
      }
    });
  },
);
