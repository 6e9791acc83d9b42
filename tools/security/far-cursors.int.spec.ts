import { encodeCursor, typeId, uuidv7 } from '@constancia/kernel';
import {
  ContractChecker,
  ContractDocument,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';
import { runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { runningIdentity } from '../../apps/platform/src/identity/running-identity.fixture.ts';
import { newWallet, signedInPerson } from '../../apps/platform/src/identity/wallet/signed-in-person.fixture.ts';
import { FAR_CURSOR_KEYS } from './fuzz/hostile.ts';

interface Described {
  get?: { parameters?: { name: string }[] };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** The token of a person, whose lists are those of their wallet. */
let personToken: string | undefined;

const START = {
  platform: async () => {
    const platform = await runningIdentity(database);
    personToken = await signedInPerson(platform, database, await newWallet(platform, database));
    return platform;
  },
  compliance: () => runningCompliance(database),
  signing: () => runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) }),
};

describe.each(['platform', 'compliance', 'signing'] as const)('every list of %s', (name) => {
  it('answers a cursor whose keys no list gives with a page, 400 or 404, never with 500', async () => {
    const tenant = await testTenant(database);
    const owner = await testMember(database, tenant.id, 'owner'); // keys have no sessions to list
    const envelope = uuidv7();
    await database.query(
      `insert into signing.envelope (id, tenant_id, circuit_id, public_id, credits_debited, expires_at)
       values ($1, $2, $1, $3, 0, now() + interval '1 day')`,
      [envelope, tenant.id, envelope.replaceAll('-', '').slice(0, 22)],
    );
    const paths = Object.entries(ContractDocument.load(name).root.paths as Record<string, Described>);
    const lists = paths.filter(([, { get }]) => get?.parameters?.some((parameter) => parameter.name === 'cursor'));
    expect(lists.length).toBeGreaterThan(0);
    const running = await START[name]();
    try {
      const failures: string[] = [];
      for (const [path] of lists) {
        const address = path
          .replace('/v1/envelopes/{id}', `/v1/envelopes/${typeId('env', envelope)}`)
          .replace(/\{[^}]+\}/g, tenant.id);
        for (const keys of FAR_CURSOR_KEYS) {
          const token = path.startsWith('/v1/wallet/me/') ? personToken : owner.token;
          const { status } = await running.call(`${address}?cursor=${encodeCursor(keys)}`, { member: token });
          if (![200, 400, 404].includes(status)) failures.push(`${address} ${JSON.stringify(keys)}: ${status}`);
        }
      }
      expect(failures).toEqual([]);
    } finally {
      await running.close();
    }
  });
});
