import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@constancia/kernel';
import { Database, sqlState } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTemplate, testTenant, TEST_PASSWORD } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a process with a module's own role tries: it may break into a process, not out of its module. */
const MODULES = [
  { schema: 'platform', module: 'platform' },
  { schema: 'identity', module: 'identity' },
  { schema: 'compliance', module: 'compliance' },
  { schema: 'signing', module: 'seal' },
] as const;
const WITH_COMMIT_WORK = MODULES.filter(({ schema }) => schema !== 'platform');
/** What the schema's own functions refuse, and what the role may not even call. */
const REFUSED = ['CN403', '42501'];

let store: TestDatabase;
const roles = new Map<string, Database>();
const as = (schema: string): Database => roles.get(schema) as Database;

beforeAll(async () => {
  store = await testDatabase();
  for (const { schema } of MODULES) {
    roles.set(schema, await Database.connect({ url: store.app(schema), applicationName: 'forger' }));
  }
});
afterAll(async () => {
  for (const database of roles.values()) await database.close();
  await store?.drop();
});

/** The SQLSTATE that an attempt ends with; null when it succeeds. */
const refusal = (attempt: Promise<unknown>): Promise<string | null> =>
  attempt.then(
    () => null,
    (error: unknown) => sqlState(error) ?? String(error),
  );

interface Unit {
  /** Rows of one table. */
  write?: { table: string; row: object };
  call?: string;
  event?: ReturnType<typeof event>;
  debitFor?: string;
}

/** A unit of work as the function of the former release takes it, and as commit_work_v2 does. */
const COMMITS = {
  commit_work: (tenantId: string, { write, call, event: emitted, debitFor: module }: Unit) => [
    JSON.stringify([
      {
        ord: 0,
        tenant_id: tenantId,
        ...(module && { debit: { module, ref_type: 'thing', ref_id: uuidv7(), amount: 1 } }),
      },
    ]),
    JSON.stringify(
      write ? [{ table: write.table, columns: Object.keys(write.row), ords: [0], rows: [write.row] }] : [],
    ),
    JSON.stringify(call ? [{ ord: 0, function: call, args: {} }] : []),
    JSON.stringify(emitted ? [{ ord: 0, ...emitted }] : []),
  ],
  commit_work_v2: (tenantId: string, { write, call, event: emitted, debitFor: module }: Unit) => {
    const one = (value: unknown) => [value];
    const ofEvent = (value: unknown) => (emitted ? [value] : []);
    return [
      ...[tenantId, null, null, null, null, null, null].map(one),
      ...(module ? [module, 'thing', uuidv7(), 1] : [null, null, null, null]).map(one),
      JSON.stringify(
        write ? [{ table: write.table, columns: Object.keys(write.row), places: [1], rows: [write.row] }] : [],
      ),
      JSON.stringify(call ? [{ place: 1, function: call, args: {} }] : []),
      ...[1, emitted?.event_id, emitted?.module, emitted?.event_type, emitted?.occurred_at, emitted?.body, null].map(
        ofEvent,
      ),
    ];
  },
};

function event(tenantId: string, module: string, type: string, changes: Record<string, unknown> = {}) {
  const head = {
    event_id: uuidv7(),
    tenant_id: tenantId,
    module,
    event_type: type,
    occurred_at: new Date().toISOString(),
  };
  return { ...head, body: JSON.stringify({ ...head, payload: {}, ...changes }), traceparent: null };
}
const emit = (schema: string, transactionOf: string | null, emitted: ReturnType<typeof event>): Promise<unknown> => {
  const params = [
    emitted.event_id,
    emitted.tenant_id,
    emitted.module,
    emitted.event_type,
    emitted.occurred_at,
    emitted.body,
  ];
  const sql = 'select platform_v1.emit_event($1, $2, $3, $4, $5, $6, null)';
  if (transactionOf === null) return as(schema).query(sql, params);
  return as(schema).tenant(transactionOf, (tx) => tx.query(sql, params));
};

const chains = [
  ['signing', 'envelope_event', { envelope_id: uuidv7(), signer_id: 'sgn_1', role: 'a', ip: null, user_agent: null }],
  ['compliance', 'case_event', { case_id: uuidv7(), actor: 'a', from: 'open', to: 'open' }],
  ['compliance', 'case_journal', { actor: 'a' }],
  ['identity', 'session_event', { session_id: uuidv7(), actor: 'a', step: null, from: null, to: 'open' }],
] as const;

describe.each(Object.entries(COMMITS))('%s', (name, paramsOf) => {
  const sqlOf = (schema: string, params: unknown[]) =>
    `select * from ${schema}.${name}(${params.map((_, nth) => `$${nth + 1}`).join(', ')})`;
  const commit = (schema: string, tenantId: string, unit: Unit = {}): Promise<unknown> => {
    const params = paramsOf(tenantId, unit);
    return as(schema).query(sqlOf(schema, params), params);
  };
  const requestOf = async (tenantId: string) => ({
    id: uuidv7(),
    template_id: await testTemplate(store, tenantId),
    subject_ref: 's',
    merge_data: {},
    status: 'pending',
    credits_debited: 40,
  });

  it.each(chains)('of %s writes no row of the chain %s', async (schema, table, members) => {
    const tenant = await testTenant(store);
    const row = {
      ...members, seq: 1, type: 'opened', at: new Date().toISOString(), data: '{}', prev_hash: '0'.repeat(64), hash: '1'.repeat(64),
      tenant_id: tenant.id,
    }; // prettier-ignore
    expect(await refusal(commit(schema, tenant.id, { write: { table, row } }))).toBe('CN403');
  });

  it.each(WITH_COMMIT_WORK)(
    'of $schema writes no table and calls no function that is not listed',
    async ({ schema }) => {
      const tenant = await testTenant(store);
      const write = (table: string, row: object) => refusal(commit(schema, tenant.id, { write: { table, row } }));
      expect(await write('migration', { name: 'x', timestamp: 1 })).toBe('CN403');
      expect(await write('commit_table', { name: 'x', columns: ['y'] })).toBe('CN403');
      expect(await write('chain_type', { chain: 'x', type: 'y' })).toBe('CN403');
      const calls = [
        'purge_idempotency_keys',
        'append_envelope_event',
        'append_case_event',
        'commit_work',
        'commit_work_v2',
      ];
      for (const call of calls) expect(await refusal(commit(schema, tenant.id, { call }))).toBe('CN403');
    },
  );

  it('writes no column that only sealing fills', async () => {
    const tenant = await testTenant(store);
    const row = await requestOf(tenant.id);
    const write = (given: object) =>
      refusal(commit('signing', tenant.id, { write: { table: 'signature_request', row: given } }));
    expect(await write({ ...row, document_key: 'k' })).toBe('CN403');
    expect(await write(row)).toBeNull();
  });

  it('gives every row the tenant of its unit, whatever the row says', async () => {
    const [own, other] = [await testTenant(store), await testTenant(store)];
    const row = { ...(await requestOf(own.id)), tenant_id: other.id };
    await commit('signing', own.id, { write: { table: 'signature_request', row } });
    const [written] = await store.query<{ tenant_id: string }>(
      'select tenant_id from signing.signature_request where id = $1',
      [row.id],
    );
    expect(written?.tenant_id).toBe(own.id);
  });

  it.each(WITH_COMMIT_WORK)(
    'of $schema debits and emits for no other module, and for no other tenant, and nothing else in the body',
    async ({ schema }) => {
      const [own, other] = [await testTenant(store), await testTenant(store)];
      const emitted = (of: string, ...facts: [module: string, changes?: Record<string, unknown>]) =>
        refusal(commit(schema, own.id, { event: event(of, facts[0], 'thing.done', facts[1]) }));
      for (const { module } of MODULES.filter((each) => each.schema !== schema)) {
        expect(await refusal(commit(schema, own.id, { debitFor: module }))).toBe('CN403');
        expect(await emitted(own.id, module)).toBe('CN403');
      }
      const { module } = MODULES.find((each) => each.schema === schema) as (typeof MODULES)[number];
      expect(await emitted(other.id, module)).toBe('CN403');
      expect(await emitted(own.id, module, { tenant_id: other.id })).toBe('CN403');
      const honest = event(own.id, module, 'thing.done');
      for (const name of ['"event_id"', String.raw`"event\u005fid"`]) {
        const twice = { ...honest, body: `${honest.body.slice(0, -1)},${name}:"${uuidv7()}"}` };
        expect(await refusal(commit(schema, own.id, { event: twice }))).toBe('CN403');
      }
      const spliced = 'thing.done","more":"one';
      const body = honest.body.replace('thing.done', spliced);
      expect(await refusal(commit(schema, own.id, { event: { ...honest, event_type: spliced, body } }))).toBe('CN403');
      expect(await refusal(commit(schema, own.id, { event: { ...honest, body: `${honest.body} {}` } }))).toBe('22P02');
      expect(await emitted(own.id, module)).toBeNull();
      expect(await emitted(own.id, module, { payload: { event_id: 'another member of this name' } })).toBeNull();
    },
  );

  it('in a transaction of one tenant works for no other', async () => {
    const [own, other] = [await testTenant(store), await testTenant(store)];
    const params = paramsOf(other.id, {});
    const attempt = as('signing').tenant(own.id, (tx) => tx.query(sqlOf('signing', params), params));
    expect(await refusal(attempt)).toBe('CN403');
  });
});

/** What a module may not act for: the platform acts for billing too. */
const foreignTo = (module: string) => (other: string) =>
  other !== module && !(module === 'platform' && other === 'billing');

describe('platform_v1', () => {
  it.each(MODULES)(
    'lets $schema emit events of no other module, with no other body, and only for the transaction’s tenant',
    async ({ schema, module }) => {
      const [own, other] = [await testTenant(store), await testTenant(store)];
      for (const foreign of ['identity', 'compliance', 'seal', 'billing', 'unknown'].filter(foreignTo(module))) {
        expect(await refusal(emit(schema, own.id, event(own.id, foreign, 'thing.done')))).toBe('CN403');
      }
      for (const changes of [
        { module: 'other' },
        { event_type: 'other' },
        { tenant_id: other.id },
        { event_id: uuidv7() },
      ]) {
        expect(await refusal(emit(schema, own.id, event(own.id, module, 'thing.done', changes)))).toBe('CN403');
      }
      expect(await refusal(emit(schema, null, event(own.id, module, 'thing.done')))).toBe('CN403');
      expect(await refusal(emit(schema, other.id, event(own.id, module, 'thing.done')))).toBe('CN403');
      expect(await refusal(emit(schema, own.id, event(own.id, module, 'thing.done')))).toBeNull();
    },
  );

  it('lets the platform test the endpoints of every module, and pretend nothing', async () => {
    const tenant = await testTenant(store);
    expect(await refusal(emit('platform', tenant.id, event(tenant.id, 'seal', 'endpoint.test')))).toBeNull();
    const forged = event(tenant.id, 'seal', 'seal.envelope.completed');
    expect(await refusal(emit('platform', tenant.id, forged))).toBe('CN403');
    const example = event(tenant.id, 'seal', 'seal.envelope.completed', { test: true });
    expect(await refusal(emit('platform', tenant.id, example))).toBeNull();
  });

  it.each(MODULES)(
    'lets $schema charge, hold and refund for no other module, and for no tenant but the transaction’s',
    async ({ schema, module }) => {
      const [own, other] = [await testTenant(store), await testTenant(store)];
      const calls = [
        'select platform_v1.charge($1, $2, $3, $4, 1)',
        'select platform_v1.hold($1, $2, $3, $4, 1, 60)',
        'select platform_v1.refund($1, $2, $3, $4, 1)',
      ];
      for (const sql of calls) {
        const call = (named: string) => [own.id, named, 'thing', uuidv7()];
        for (const foreign of ['identity', 'compliance', 'seal', 'billing', 'platform', 'unknown'].filter(
          foreignTo(module),
        )) {
          expect(REFUSED).toContain(await refusal(as(schema).tenant(own.id, (tx) => tx.query(sql, call(foreign)))));
        }
        expect(REFUSED).toContain(await refusal(as(schema).tenant(other.id, (tx) => tx.query(sql, call(module)))));
        expect(REFUSED).toContain(await refusal(as(schema).query(sql, call(module))));
      }
      expect(
        await refusal(
          as(schema).tenant(own.id, (tx) => tx.query(calls[0] as string, [own.id, module, 'thing', uuidv7()])),
        ),
      ).toBeNull();
    },
  );

  it('settles a hold for its own module and tenant only', async () => {
    const [own, other] = [await testTenant(store), await testTenant(store)];
    const [held] = await as('identity').tenant(own.id, (tx) =>
      tx.query<{ id: string }>('select platform_v1.hold($1, $2, $3, $4, 10, 60) as id', [
        own.id,
        'identity',
        'thing',
        uuidv7(),
      ]),
    );
    const release = (schema: string, tenantId: string | null) => {
      const sql = 'select platform_v1.release($1)';
      const attempt =
        tenantId === null
          ? as(schema).query(sql, [held?.id])
          : as(schema).tenant(tenantId, (tx) => tx.query(sql, [held?.id]));
      return refusal(attempt);
    };
    expect(await release('signing', own.id)).toBe('CN404');
    expect(await release('identity', other.id)).toBe('CN403');
    expect(await release('identity', null)).toBe('CN403');
    expect(await release('identity', own.id)).toBeNull();
  });

  it.each(MODULES)('keeps what works across tenants from the app role of $schema', async ({ schema }) => {
    const tenant = await testTenant(store);
    expect(await refusal(as(schema).query(`select platform_v1.emit_events('[]')`))).toBe('42501');
    expect(await refusal(as(schema).query(`select platform_v1.charge_batch('[]')`))).toBe('42501');
    const v2 = [
      "charge_batch_v2('{}', '{}', '{}', '{}', '{}')",
      "emit_events_v2('{}', '{}', '{}', '{}', '{}', '{}', '{}')",
    ];
    for (const call of v2) expect(await refusal(as(schema).query(`select platform_v1.${call}`))).toBe('42501');
    expect(await refusal(as(schema).query('select platform_v1.lock_accounts($1)', [[tenant.id]]))).toBe('42501');
    const grant = `select platform_v1.grant_credits($1, 5, 'x', $2, null)`;
    expect(await refusal(as(schema).query(grant, [tenant.id, uuidv7()]))).toBe('42501');
  });

  it.each(MODULES)('writes no operators’ act of another module for $schema', async ({ schema, module }) => {
    const types = {
      platform: 'tenant.granted',
      identity: 'session.shown',
      compliance: 'list.imported',
      seal: 'seal.shown',
    };
    for (const [owner, type] of Object.entries(types)) {
      const attempt = as(schema).query(`select platform_v1.record_act($1, 'somebody', null, '{}')`, [type]);
      expect(await refusal(attempt)).toBe(owner === module ? null : 'CN403');
    }
  });

  it('knows the module of a login role that is a member of a module’s role', async () => {
    const tenant = await testTenant(store);
    const login = `login_${randomUUID().slice(0, 8)}`;
    await store.query(`create role ${login} login noinherit password '${TEST_PASSWORD}' in role signing_app`);
    const [{ name }] = (await store.query<{ name: string }>('select current_database() as name')) as [{ name: string }];
    await store.query(`grant connect on database ${name} to ${login}`);
    const url = new URL(store.app('signing'));
    url.username = login;
    const database = await Database.connect({ url: url.toString(), applicationName: 'member' });
    const charge = (module: string) =>
      database.tenant(tenant.id, async (tx) => {
        await tx.query('set local role signing_app');
        await tx.query(`select platform_v1.charge($1, $2, 'thing', $3, 1)`, [tenant.id, module, uuidv7()]);
      });
    try {
      expect(await refusal(charge('seal'))).toBeNull();
      expect(await refusal(charge('identity'))).toBe('CN403');
    } finally {
      await database.close();
      await store.query(`drop owned by ${login}; drop role ${login}`);
    }
  });
});

describe('a chain', () => {
  async function envelope(tenantId: string): Promise<string> {
    const id = uuidv7();
    await store.query(
      `insert into signing.envelope (id, tenant_id, circuit_id, public_id, credits_debited, expires_at)
       values ($1, $2, $1, $3, 0, now() + interval '1 day')`,
      [id, tenantId, id.replaceAll('-', '')],
    );
    return id;
  }
  const record = (transactionOf: string | null, tenantId: string, args: object) => {
    const params = [tenantId, JSON.stringify({ data: '{}', ...args })];
    const sql = 'select signing.record_envelope_event($1, $2)';
    return refusal(
      transactionOf === null
        ? as('signing').query(sql, params)
        : as('signing').tenant(transactionOf, (tx) => tx.query(sql, params)),
    );
  };

  it('takes no event of an unknown type, about a stranger, of a seal that is not there, or of another tenant', async () => {
    const [own, other] = [await testTenant(store), await testTenant(store)];
    const envelope_id = await envelope(own.id);
    expect(await record(own.id, own.id, { envelope_id, type: 'signer.forged' })).toBe('CN403');
    expect(await record(own.id, own.id, { envelope_id, type: 'signer.consented' })).toBe('CN403');
    const stranger = { signer_id: 'sgn_00000000000000000000000000', role: 'tenant' };
    expect(await record(own.id, own.id, { envelope_id, type: 'signer.consented', ...stranger })).toBe('CN403');
    expect(await record(own.id, own.id, { envelope_id, type: 'envelope.sealed' })).toBe('CN403');
    expect(await record(null, own.id, { envelope_id, type: 'envelope.voided' })).toBe('CN403');
    expect(await record(other.id, own.id, { envelope_id, type: 'envelope.voided' })).toBe('CN403');
    expect(await record(own.id, own.id, { envelope_id, type: 'envelope.voided' })).toBeNull();
  });

  it.each(MODULES)('is written, changed and emptied by no statement of $schema_app', async ({ schema }) => {
    const tenant = await testTenant(store);
    const tables = chains.filter(([of]) => of === schema).map(([, table]) => `${schema}.${table}`);
    for (const table of [...tables, 'platform.operator_act']) {
      for (const sql of [
        `insert into ${table} default values`,
        `update ${table} set type = 'x'`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        expect(await refusal(as(schema).tenant(tenant.id, (tx) => tx.query(sql)))).toBe('42501');
      }
    }
  });

  it('of cases takes no breach before its time and no anchor of a head that is in no timeline', async () => {
    const tenant = await testTenant(store);
    const heads = { heads: [{ case_id: uuidv7(), hash: '0'.repeat(64), seq: 1 }] };
    const anchored = JSON.stringify({ type: 'anchored', actor: 'system', data: JSON.stringify(heads) });
    const anchor = as('compliance').tenant(tenant.id, (tx) =>
      tx.query('select compliance.append_case_journal($1, $1, $2)', [tenant.id, anchored]),
    );
    expect(await refusal(anchor)).toBe('CN403');
    const exported = JSON.stringify({ type: 'exported', actor: 'a', data: '{}' });
    const elsewhere = as('compliance').query('select compliance.append_case_journal($1, $1, $2)', [
      tenant.id,
      exported,
    ]);
    expect(await refusal(elsewhere)).toBe('CN403');
  });
});
