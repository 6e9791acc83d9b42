import { ROLE_SCOPES, ROLES } from '@constancia/contracts';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import {
  testDatabase,
  type TestDatabase,
  testMember,
  type TestMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Call, type Problem } from '@constancia/testing/calls';
import { seededDraft, seededValidation } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { SavedRuleView } from '../rules/rule-view.ts';
import type { ValidationPage, ValidationView } from './validation-view.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
});

beforeEach(async () => {
  tenant = await testTenant(database);
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const call = <Body = Record<string, unknown>>(path: string, options: Call = {}) =>
  compliance.call<Body>(path, { key: tenant.apiKey, ...options });
const post = <Body = ValidationView>(path: string, body?: unknown) => call<Body>(path, { method: 'POST', body });
const slug = (problem: Problem) => problem.type.split('/').at(-1);

const RULE = {
  code: 'AGE',
  severity: 'reject',
  score: 100,
  subject_type: 'natural',
  description: 'Menores de edad.',
  position: 10,
  definition: {
    nodes: [
      { id: 'minor', type: 'condition', predicate: 'subject_age_lt', value: 18 },
      { id: 'refuse', type: 'action', decision: 'reject', score: 100, reason: 'Menor de edad' },
    ],
    edges: [{ from: 'minor', to: 'refuse' }],
  },
};

describe('a validation', () => {
  it('begins as an empty draft with the code default, version 1', async () => {
    const { status, body } = await post('/v1/validations', {});
    expect(status).toBe(201);
    expect(body).toMatchObject({
      code: 'default',
      name: 'default',
      status: 'draft',
      version: 1,
      rules: 0,
      rules_hash: null,
    });
    expect((await call(`/v1/validations/${body.id}`)).body).toEqual(body);
  });

  it('counts its versions within its code, however many are made at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, nth) => post('/v1/validations', { code: nth % 2 ? 'odd' : 'even' })),
    );
    const versions = (code: string) =>
      made
        .map(({ body }) => body)
        .filter((view) => view.code === code)
        .map(({ version }) => version);
    expect(versions('odd').sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(versions('even').sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('refuses what it does not know, all at once', async () => {
    const { status, body } = await post<Problem>('/v1/validations', { code: 'Not Good', name: '', colour: 'red' });
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/code', '/colour', '/name']);
  });

  it('is listed newest first, by status and code, page by page', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const ids = [first];
    for (const code of ['default', 'other', 'other']) ids.unshift((await post('/v1/validations', { code })).body.id);
    const list = async (query: string) => (await call<ValidationPage>(`/v1/validations${query}`)).body;
    expect((await list('')).data.map(({ id }) => id)).toEqual(ids);
    expect((await list('?code=other')).data.map(({ version }) => version)).toEqual([2, 1]);
    expect((await list('?status=published')).data.map(({ id }) => id)).toEqual([first]);
    const page = await list('?limit=3');
    expect(page.data).toHaveLength(3);
    expect((await list(`?limit=3&cursor=${page.next_cursor}`)).data.map(({ id }) => id)).toEqual([first]);
  });

  it('has words that change while it is a draft', async () => {
    const { id } = (await post('/v1/validations', { description: 'Antes' })).body;
    const { body } = await call<ValidationView>(`/v1/validations/${id}`, {
      method: 'PATCH',
      body: { name: 'Personas' },
    });
    expect(body).toMatchObject({ name: 'Personas', description: 'Antes' });
    const emptied = await call<ValidationView>(`/v1/validations/${id}`, { method: 'PATCH', body: { description: '' } });
    expect(emptied.body).toMatchObject({ name: 'Personas', description: null });
  });
});

describe('the etag of a draft', () => {
  it('is another one after every change, also of changes at the same moment', async () => {
    const { id, etag } = (await post('/v1/validations', {})).body;
    const add = (code: string) => post(`/v1/validations/${id}/rules`, { ...RULE, code });
    const read = async () => (await call<ValidationView>(`/v1/validations/${id}`)).body.etag;
    const tags = [etag];
    // A clock that was set back, and changes within a millisecond.
    await database.query(`update compliance.validation set updated_at = now() + interval '1 hour'`);
    for (const codes of [['A'], ['B', 'C', 'D'], ['E', 'F', 'G']]) {
      await Promise.all(codes.map(add));
      tags.push(await read());
    }
    const renamed = await call<ValidationView>(`/v1/validations/${id}`, { method: 'PATCH', body: { name: 'Otra' } });
    tags.push(renamed.body.etag);
    expect(new Set(tags).size).toBe(tags.length);
    expect(await read()).toBe(renamed.body.etag);
    const clone = (await post(`/v1/validations/${id}/clone`)).body;
    expect((await call(`/v1/validations/${clone.id}`)).body).toEqual(clone);
  });

  it('is another one after one of two changes of a rule at the same moment, and the other is refused', async () => {
    const { id } = (await post('/v1/validations', {})).body;
    const before = (await post<SavedRuleView>(`/v1/validations/${id}/rules`, RULE)).body;
    const draft = async () => (await call<ValidationView>(`/v1/validations/${id}`)).body.etag;
    const draftBefore = await draft();
    const path = `/v1/validations/${id}/rules/${before.id}`;
    const change = (score: number) =>
      call<SavedRuleView>(path, { method: 'PUT', body: { ...RULE, score }, headers: { 'If-Match': before.etag } });
    const answers = await Promise.all([change(50), change(60)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)?.body;
    const { body: rules } = await call<{ data: SavedRuleView[] }>(`/v1/validations/${id}/rules`);
    expect(rules.data.map(({ etag, score }) => [etag, score])).toEqual([[won?.etag, won?.score]]);
    expect(won?.etag).not.toBe(before.etag);
    expect(await draft()).not.toBe(draftBefore);
  });
});

describe('a published validation', () => {
  it('refuses every change with validation-not-draft', async () => {
    const id = await seededValidation(compliance, tenant.apiKey);
    const { body: rules } = await call<{ data: SavedRuleView[] }>(`/v1/validations/${id}/rules`);
    const ruleId = rules.data[0]?.id;
    const answers = [
      await call<Problem>(`/v1/validations/${id}`, { method: 'PATCH', body: { name: 'x' } }),
      await post<Problem>(`/v1/validations/${id}/rules`, RULE),
      await call<Problem>(`/v1/validations/${id}/rules/${ruleId}`, { method: 'PUT', body: RULE }),
      await call<Problem>(`/v1/validations/${id}/rules/${ruleId}`, { method: 'DELETE' }),
      await post<Problem>('/v1/rules/seed-defaults', { validation_id: id, subject_type: 'natural' }),
    ];
    expect(answers.map(({ status, body }) => [status, slug(body)])).toEqual(
      answers.map(() => [400, 'validation-not-draft']),
    );
  });

  it('comes of the draft that was read, where If-Match says which', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    const { etag } = (await call<ValidationView>(`/v1/validations/${id}`)).body;
    await post(`/v1/validations/${id}/rules`, RULE);
    const publish = (tag: string) =>
      call<Omit<Problem, 'status'> & { status: string }>(`/v1/validations/${id}/publish`, {
        method: 'POST',
        headers: { 'If-Match': tag },
      });
    const late = await publish(etag);
    expect([late.status, late.body.type.split('/').at(-1)]).toEqual([409, 'state-conflict']);
    const { status, body } = await publish((await call<ValidationView>(`/v1/validations/${id}`)).body.etag);
    expect([status, body.status]).toEqual([200, 'published']);
  });

  it('is deprecated by the next one of its code, in the same step; other codes stay', async () => {
    const other = await seededValidation(compliance, tenant.apiKey, { code: 'other' });
    const first = await seededValidation(compliance, tenant.apiKey);
    const second = (await post(`/v1/validations/${first}/clone`)).body;
    expect(second).toMatchObject({ status: 'draft', version: 2, rules: 20 });
    const { status, body } = await post(`/v1/validations/${second.id}/publish`);
    expect([status, body.status]).toEqual([200, 'published']);
    expect(body.published_at).not.toBeNull();
    const statuses = await Promise.all([first, second.id, other].map((id) => call(`/v1/validations/${id}`)));
    expect(statuses.map(({ body: view }) => view.status)).toEqual(['deprecated', 'published', 'published']);
    expect(body.rules_hash).toBe(statuses[0]?.body.rules_hash);
  });

  it('is not published again, and neither is a deprecated one', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const again = await post<Problem>(`/v1/validations/${first}/publish`);
    expect([again.status, slug(again.body)]).toEqual([409, 'state-conflict']);
    await seededValidation(compliance, tenant.apiKey);
    const deprecated = await post<Problem>(`/v1/validations/${first}/publish`);
    expect([deprecated.status, slug(deprecated.body)]).toEqual([409, 'state-conflict']);
  });

  it('is exactly one for each code while clones are made and published from all sides', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const published = () =>
      database.query<{ n: number }>(
        `select count(*)::int as n from compliance.validation where tenant_id = $1 and status = 'published'`,
        [tenant.id],
      );
    let watching = true;
    const seen = new Set<number>();
    const watch = (async () => {
      while (watching) seen.add((await published())[0]?.n as number);
    })();
    const rounds = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const clone = (await post(`/v1/validations/${first}/clone`)).body;
        const answers = await Promise.all([0, 1].map(() => post(`/v1/validations/${clone.id}/publish`)));
        return { version: clone.version, statuses: answers.map(({ status }) => status).sort() };
      }),
    );
    watching = false;
    await watch;
    expect(rounds.map(({ statuses }) => statuses)).toEqual(rounds.map(() => [200, 409]));
    expect(rounds.map(({ version }) => version).sort((a, b) => a - b)).toEqual(rounds.map((_, nth) => nth + 2));
    expect([...seen]).toEqual([1]);
  });

  it('never has rules that were added while it was being published and that nobody linted', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    const results = await Promise.all([
      post(`/v1/validations/${id}/publish`),
      ...Array.from({ length: 6 }, (_, nth) => post(`/v1/validations/${id}/rules`, { ...RULE, code: `LATE-${nth}` })),
    ]);
    const added = results.slice(1).filter(({ status }) => status === 201).length;
    const { body } = await call<ValidationView>(`/v1/validations/${id}`);
    expect(body).toMatchObject({ status: 'published', rules: 20 + added });
    expect(body.rules_hash).toBe(results[0]?.body.rules_hash);
  });
});

describe('publishing with publish_four_eyes', () => {
  const settings = (body: object) => call('/v1/compliance-settings', { method: 'PUT', body });
  const publish = (id: string, actor: string) =>
    call<Omit<ValidationView, 'status'> & { status: string; detail?: string }>(`/v1/validations/${id}/publish`, {
      method: 'POST',
      headers: { 'x-actor': actor },
    });

  beforeEach(() => settings({ publish_four_eyes: true, trusted_actor: true }));

  it('waits for a second person, who is not the first under a name that looks alike', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    const first = await publish(id, 'ana');
    expect([first.status, first.body.status, first.body.published_first_by]).toEqual([200, 'draft', 'ana']);
    for (const same of ['ana', 'ANA']) expect((await publish(id, same)).status).toBe(409);
    const { body } = await publish(id, 'bea');
    expect([body.status, body.published_first_by]).toEqual(['published', null]);
  });

  it('begins again when the rules changed in between', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    await publish(id, 'ana');
    await post(`/v1/validations/${id}/rules`, RULE);
    expect((await call<ValidationView>(`/v1/validations/${id}`)).body.published_first_by).toBeNull();
    expect((await publish(id, 'bea')).body).toMatchObject({ status: 'draft', published_first_by: 'bea' });
    expect((await publish(id, 'ana')).body.status).toBe('published');
  });

  it('takes no name that nobody vouches for as the second person', async () => {
    await settings({ publish_four_eyes: true });
    const id = await seededDraft(compliance, tenant.apiKey);
    await publish(id, 'ana');
    const second = await publish(id, 'bea');
    expect([second.status, second.body.detail]).toEqual([403, expect.stringContaining('trusted_actor')]);
    expect((await call<ValidationView>(`/v1/validations/${id}`)).body.status).toBe('draft');
  });
});

describe('the members who may publish rules', () => {
  const publish = (id: string, member: TestMember) =>
    call<ValidationView>(`/v1/validations/${id}/publish`, { method: 'POST', key: undefined, member: member.token });
  const notified = async (id: string) => {
    const rows = await database.query<{ line: string }>(
      `select m.role || ': ' || n.kind || ', ' || n.title
              || repeat(', by mail', (select count(*) from platform.member_mail w where w.member_id = m.id and w.kind = n.kind)::int) as line
         from platform.member_notification n join platform.member m on m.id = n.member_id
        where n.tenant_id = $1 and n.ref_id = $2 order by m.role, n.id`,
      [tenant.id, uuidOf('val', id)],
    );
    return rows.map(({ line }) => line);
  };
  const unsettled = async (id: string): Promise<number> => {
    const rows = await database.query(
      'select from platform.member_notification where ref_id = $1 and settled_at is null',
      [uuidOf('val', id)],
    );
    return rows.length;
  };
  const waiting = async () =>
    (await call<ValidationPage>('/v1/validations?awaits_second_person=true')).body.data.map(({ id }) => id);

  it('are notified that a draft waits for a second person, but not who published it first', async () => {
    await call('/v1/compliance-settings', { method: 'PUT', body: { publish_four_eyes: true } });
    const members = await Promise.all(ROLES.map((role) => testMember(database, tenant.id, role)));
    const first = members[ROLES.indexOf('supervisor')] as TestMember;
    const second = await testMember(database, tenant.id, 'supervisor');
    const [id, other] = [await seededDraft(compliance, tenant.apiKey), await seededDraft(compliance, tenant.apiKey)];
    expect([await waiting(), await notified(id)]).toEqual([[], []]);
    expect((await publish(id, first)).body.status).toBe('draft');
    expect((await publish(id, first)).status).toBe(409);
    const roles = ROLES.filter((role) => (ROLE_SCOPES[role] as readonly string[]).includes('compliance:rules'));
    const rest = await notified(id);
    expect(new Set(rest)).toEqual(
      new Set(roles.map((role) => `${role}: rules_awaiting_publication, default, by mail`)),
    );
    expect(rest.filter((line) => line.startsWith('supervisor'))).toHaveLength(1);
    expect(await waiting()).toEqual([id]);
    expect((await call<ValidationPage>('/v1/validations?awaits_second_person=false')).body.data).toMatchObject([
      { id: other },
    ]);
    expect(await unsettled(id)).toBe(rest.length);
    expect((await publish(id, second)).body.status).toBe('published');
    expect([await waiting(), await notified(id), await unsettled(id)]).toEqual([[], rest, 0]);
  });

  it('have nothing to do any more once the draft is changed or discarded', async () => {
    await call('/v1/compliance-settings', { method: 'PUT', body: { publish_four_eyes: true } });
    const first = await testMember(database, tenant.id, 'supervisor');
    const [changed, discarded] = [
      ...[await seededDraft(compliance, tenant.apiKey), await seededDraft(compliance, tenant.apiKey)],
    ] as [string, string];
    for (const id of [changed, discarded]) await publish(id, first);
    const notices = [await unsettled(changed), await unsettled(discarded)];
    expect(notices.every((count) => count > 0)).toBe(true);
    await post(`/v1/validations/${changed}/rules`, RULE);
    expect([await unsettled(changed), await unsettled(discarded)]).toEqual([0, notices[1]]);
    await call(`/v1/validations/${discarded}`, { method: 'DELETE' });
    expect(await unsettled(discarded)).toBe(0);
  });
});

/** What the audit log of the tenant has. */
const audited = () =>
  database.query<{ line: string; object_id: string; data: { before?: object; after?: object } }>(
    `select type || ' by ' || coalesce(on_behalf_of, actor_name) as line, object_id, data::jsonb as data
       from platform.audit_entry where tenant_id = $1 and type like 'validation.%' order by seq`,
    [tenant.id],
  );

describe('the audit log', () => {
  it('names who published rules, and which', async () => {
    const id = await seededValidation(compliance, tenant.apiKey);
    const { body } = await call<ValidationView>(`/v1/validations/${id}`);
    const after = { code: 'default', version: 1, rules: body.rules, rules_hash: body.rules_hash };
    expect(await audited()).toEqual([{ line: 'validation.published by default', object_id: id, data: { after } }]);
  });

  it('names both people where two publish', async () => {
    await call('/v1/compliance-settings', { method: 'PUT', body: { publish_four_eyes: true, trusted_actor: true } });
    const id = await seededDraft(compliance, tenant.apiKey);
    for (const actor of ['ana', 'ana', 'bea'])
      await call(`/v1/validations/${id}/publish`, { method: 'POST', headers: { 'x-actor': actor } });
    const entries = await audited();
    expect(entries.map(({ line }) => line)).toEqual([
      'validation.publication_requested by ana',
      'validation.published by bea',
    ]);
    expect(entries[0]?.data).toEqual(entries[1]?.data);
  });
});

describe('discarding a draft', () => {
  const discard = (id: string, etag?: string) =>
    call<Problem>(`/v1/validations/${id}`, {
      method: 'DELETE',
      headers: etag === undefined ? {} : { 'if-match': etag },
    });

  it('deletes it with its rules, leaves what is published, and is in the audit log', async () => {
    const published = await seededValidation(compliance, tenant.apiKey);
    const before = (await call(`/v1/validations/${published}`)).body;
    const draft = (await post(`/v1/validations/${published}/clone`)).body;
    expect((await discard(draft.id)).status).toBe(204);
    expect((await call(`/v1/validations/${draft.id}`)).status).toBe(404);
    expect((await discard(draft.id)).status).toBe(404);
    const rules = await database.query('select 1 from compliance.rule where validation_id = $1', [
      uuidOf('val', draft.id),
    ]);
    expect(rules).toEqual([]);
    expect((await call(`/v1/validations/${published}`)).body).toEqual(before);
    const { code, version } = draft;
    expect((await audited()).at(-1)).toMatchObject({
      line: 'validation.discarded by default',
      object_id: draft.id,
      data: { before: { code, version, rules: 20 } },
    });
    expect((await post(`/v1/validations/${published}/clone`)).body.version).toBe(version);
  });

  it('is refused for what is or was published, and for a draft that somebody changed', async () => {
    const first = await seededValidation(compliance, tenant.apiKey);
    const refused = await discard(first);
    expect([refused.status, slug(refused.body)]).toEqual([400, 'validation-not-draft']);
    const draft = (await post(`/v1/validations/${first}/clone`)).body;
    await post(`/v1/validations/${draft.id}/rules`, RULE);
    expect((await discard(draft.id, draft.etag)).status).toBe(409);
    await post(`/v1/validations/${draft.id}/publish`);
    expect([(await discard(first)).status, (await discard(draft.id)).status]).toEqual([400, 400]);
    expect((await call<ValidationPage>('/v1/validations')).body.data).toHaveLength(2);
  });

  it('is not done to what is published, even by a statement of the app', async () => {
    const id = await seededValidation(compliance, tenant.apiKey);
    const app = await Database.connect({
      url: database.app('compliance'),
      applicationName: 'discard-test',
      poolSize: 1,
    });
    onTestFinished(() => app.close());
    await app.tenant(tenant.id, (tx) =>
      tx.query('delete from compliance.validation where tenant_id = $1', [tenant.id]),
    );
    expect((await call(`/v1/validations/${id}`)).status).toBe(200);
  });

  it('is for those who may edit rules', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    const answers = ROLES.map(async (role) => {
      const { token: member } = await testMember(database, tenant.id, role);
      const options = { method: 'DELETE', key: undefined, member, headers: { 'if-match': '"u1"' } };
      return [role, (await call(`/v1/validations/${id}`, options)).status] as const;
    });
    const may = (role: (typeof ROLES)[number]) => (ROLE_SCOPES[role] as readonly string[]).includes('compliance:rules');
    expect(await Promise.all(answers)).toEqual(ROLES.map((role) => [role, may(role) ? 409 : 403]));
  });
});

describe('publishing a draft', () => {
  it('needs a rule', async () => {
    const { id } = (await post('/v1/validations', {})).body;
    const { status, body } = await post<Problem>(`/v1/validations/${id}/publish`);
    expect([status, slug(body), body.errors?.length]).toEqual([409, 'state-conflict', 1]);
  });

  it('needs rules that lint; the linter reports all errors at once', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    // Rules are linted when they are saved: only what a former release let pass can be wrong here.
    await database.query(
      `update compliance.rule set definition = '{"nodes": [{"id": "a", "type": "action"}], "edges": [{"from": "a", "to": "b"}]}'
        where validation_id = (select id from compliance.validation where tenant_id = $1) and code like 'SARLAFT-AGE-%'`,
      [tenant.id],
    );
    const { status, body } = await post<Problem>(`/v1/validations/${id}/publish`);
    expect([status, slug(body)]).toEqual([409, 'state-conflict']);
    const { body: report } = await post<{ errors: { rule_code: string }[]; warnings: object[] }>(
      `/v1/validations/${id}/lint`,
    );
    expect(body.errors).toEqual(report.errors);
    expect(report.errors.length).toBeGreaterThan(1);
  });

  it('names the rule that each finding of the linter is about', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    await database.query(
      `update compliance.rule set definition = '{"nodes": [{"id": "a", "type": "action"}], "edges": [{"from": "a", "to": "b"}]}'
        where validation_id = (select id from compliance.validation where tenant_id = $1) and code = 'SARLAFT-AGE-001'`,
      [tenant.id],
    );
    const { body: report } = await post<{ errors: { rule_code: string }[] }>(`/v1/validations/${id}/lint`);
    expect(new Set(report.errors.map(({ rule_code }) => rule_code))).toEqual(new Set(['SARLAFT-AGE-001']));
  });
});

describe("another tenant's validation", () => {
  it('is not found, whatever is asked of it', async () => {
    const id = await seededDraft(compliance, tenant.apiKey);
    const { body: rules } = await call<{ data: SavedRuleView[] }>(`/v1/validations/${id}/rules`);
    const ruleId = rules.data[0]?.id as string;
    const stranger = await testTenant(database);
    const strange = (path: string, method: string, body?: object) =>
      call<Problem>(path, { key: stranger.apiKey, method, body });
    const answers = [
      await strange(`/v1/validations/${id}`, 'GET'),
      await strange(`/v1/validations/${id}`, 'PATCH', { name: 'x' }),
      await strange(`/v1/validations/${id}`, 'DELETE'),
      await strange(`/v1/validations/${id}/clone`, 'POST'),
      await strange(`/v1/validations/${id}/publish`, 'POST'),
      await strange(`/v1/validations/${id}/lint`, 'POST'),
      await strange(`/v1/validations/${id}/backtest`, 'POST', {}),
      await strange(`/v1/validations/${id}/rules`, 'GET'),
      await strange(`/v1/validations/${id}/rules`, 'POST', RULE),
      await strange(`/v1/validations/${id}/rules/${ruleId}`, 'PUT', RULE),
      await strange(`/v1/validations/${id}/rules/${ruleId}`, 'DELETE'),
      await strange('/v1/rules/seed-defaults', 'POST', { validation_id: id, subject_type: 'both' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await call<ValidationPage>('/v1/validations', { key: stranger.apiKey })).body.data).toEqual([]);
    const mine = (await post('/v1/validations', {})).body;
    const crossed = await call(`/v1/validations/${mine.id}/rules/${ruleId}`, { method: 'DELETE' });
    expect(crossed.status).toBe(404);
  });
});
