import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Call, type Problem } from '@constancia/testing/calls';
import { seededDraft } from '../compliance-setups.fixture.ts';
import { type RunningCompliance, runningCompliance } from '../running-compliance.fixture.ts';
import type { ValidationView } from '../validations/validation-view.ts';
import type { RuleTemplateList } from './list-templates.ts';
import type { RulePage, RuleView, SavedRuleView } from './rule-view.ts';
import type { SeededView } from './seed-defaults.ts';

let database: TestDatabase;
let compliance: RunningCompliance;
let tenant: TestTenant;
let draftId: string;

beforeAll(async () => {
  database = await testDatabase();
  compliance = await runningCompliance(database);
});

beforeEach(async () => {
  tenant = await testTenant(database);
  draftId = (await post<ValidationView>('/v1/validations', {})).body.id;
});

afterAll(async () => {
  await compliance?.close();
  await database?.drop();
});

const call = <Body>(path: string, options: Call = {}) =>
  compliance.call<Body>(path, { key: tenant.apiKey, ...options });
const post = <Body>(path: string, body?: unknown) => call<Body>(path, { method: 'POST', body });
const rules = async (query = '') => (await call<RulePage>(`/v1/validations/${draftId}/rules${query}`)).body;
const everyRule = async () => (await rules('?limit=100')).data;
const seed = (subject_type: string) =>
  post<SeededView>('/v1/rules/seed-defaults', { validation_id: draftId, subject_type });
const codes = ({ body }: { body: Problem }) => (body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);

const RULE = {
  code: 'COUNTRY',
  severity: 'review',
  score: 40,
  subject_type: 'both',
  definition: {
    nodes: [
      { id: 'abroad', type: 'condition', predicate: 'country_not_in', value: ['CO'] },
      { id: 'refer', type: 'action' },
    ],
    edges: [{ from: 'abroad', to: 'refer' }],
  },
};

describe('a rule', () => {
  it('is added, shown, replaced and removed', async () => {
    const added = await post<SavedRuleView>(`/v1/validations/${draftId}/rules`, RULE);
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ ...RULE, description: null, position: 0, validation_id: draftId, warnings: [] });
    const path = `/v1/validations/${draftId}/rules/${added.body.id}`;
    const body = { ...RULE, code: 'ABROAD', score: 50, position: 7, description: 'Del exterior' };
    const replaced = await call<SavedRuleView>(path, { method: 'PUT', body });
    expect([replaced.status, replaced.body]).toEqual([200, expect.objectContaining({ ...body, id: added.body.id })]);
    expect((await rules()).data.map(({ code }) => code)).toEqual(['ABROAD']);
    expect((await call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await rules()).data).toEqual([]);
    expect((await call(path, { method: 'DELETE' })).status).toBe(404);
  });

  it('is changed and removed only as it was read, where If-Match says how it was; the same change can be sent again', async () => {
    const { id, etag } = (await post<SavedRuleView>(`/v1/validations/${draftId}/rules`, RULE)).body;
    const path = `/v1/validations/${draftId}/rules/${id}`;
    const put = (score: number, tag: string) =>
      call<SavedRuleView & Problem>(path, { method: 'PUT', body: { ...RULE, score }, headers: { 'If-Match': tag } });
    expect((await put(50, etag)).status).toBe(200);
    expect((await put(50, etag)).status).toBe(200);
    const late = await put(60, etag);
    expect([late.status, late.body.type.split('/').at(-1)]).toEqual([409, 'state-conflict']);
    expect((await call(path, { method: 'DELETE', headers: { 'If-Match': etag } })).status).toBe(409);
    const [current] = await everyRule();
    expect(current?.score).toBe(50);
    expect((await put(60, (current as RuleView).etag)).status).toBe(200);
    expect((await call(path, { method: 'DELETE', headers: { 'If-Match': '*' } })).status).toBe(204);
  });

  it('has a code of its own within its validation', async () => {
    await post(`/v1/validations/${draftId}/rules`, RULE);
    const again = await post<Problem>(`/v1/validations/${draftId}/rules`, RULE);
    expect([again.status, again.body.type.split('/').at(-1)]).toEqual([409, 'duplicate-key']);
    const other = (await post<SavedRuleView>(`/v1/validations/${draftId}/rules`, { ...RULE, code: 'OTHER' })).body;
    const path = `/v1/validations/${draftId}/rules/${other.id}`;
    const renamed = await call<Problem>(path, { method: 'PUT', body: RULE });
    expect([renamed.status, renamed.body.type.split('/').at(-1)]).toEqual([409, 'duplicate-key']);
  });

  it('is refused with everything that is wrong with it, graph and all', async () => {
    const refused = await post<Problem>(`/v1/validations/${draftId}/rules`, {
      code: 'not good',
      severity: 'maybe',
      score: -1,
      subject_type: 'both',
      colour: 'red',
      definition: {
        nodes: [
          { id: 'a', type: 'condition', predicate: 'country_in', value: ['XX'] },
          { id: 'a', type: 'action' },
          { id: 'b', type: 'condition', predicate: 'phase_of_the_moon' },
          { id: 'c', type: 'wish' },
        ],
        edges: [
          { from: 'b', to: 'b' },
          { from: 'b', to: 'nowhere' },
        ],
      },
    });
    expect(refused.status).toBe(400);
    const found = codes(refused);
    for (const expected of [
      '/colour unknown_member',
      '/definition/nodes/1/id duplicate_node_id',
      '/definition/nodes/3/type unknown_node_type',
    ]) {
      expect(found).toContain(expected);
    }
    const words = found.map((each) => each.split(' ')[1]);
    for (const word of ['unknown_country', 'unknown_predicate', 'self_loop', 'dangling_edge', 'value_out_of_range']) {
      expect(words).toContain(word);
    }
    for (const pointer of ['/code', '/severity', '/score']) {
      expect(found.some((each) => each.startsWith(`${pointer} `))).toBe(true);
    }
  });

  it.each([
    ['null'],
    ['[]'],
    ['"rule"'],
    ['5'],
    ['{}'],
    ['{"definition": []}'],
    ['{"definition": {"nodes": {}, "edges": 3}}'],
  ])('is refused when it is none: %s', async (body) => {
    const refused = await post<Problem>(`/v1/validations/${draftId}/rules`, body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.length).toBeGreaterThan(0);
  });

  it('is answered with what is probably not meant, and saved', async () => {
    const { status, body } = await post<SavedRuleView>(`/v1/validations/${draftId}/rules`, {
      ...RULE,
      definition: { nodes: [{ id: 'refer', type: 'action' }], edges: [] },
    });
    expect([status, body.warnings.map(({ code }) => code)]).toEqual([201, ['action_always_fires']]);
  });

  it('comes in the order of evaluation, page by page', async () => {
    for (const [code, position] of [
      ['B', 2],
      ['A', 2],
      ['C', 1],
      ['a', 2],
    ] as const) {
      await post(`/v1/validations/${draftId}/rules`, { ...RULE, code, position });
    }
    const first = await rules('?limit=2');
    const second = await rules(`?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data].map(({ code }) => code)).toEqual(['C', 'A', 'B', 'a']);
    expect(second.next_cursor).toBeNull();
  });
});

describe('the canonical rules', () => {
  it('are 20 for both kinds; natural and legal persons get those for both', async () => {
    const list = async (query: string) => (await call<RuleTemplateList>(`/v1/templates${query}`)).body.data;
    const [all, natural, legal] = [
      await list('?group=sarlaft'),
      await list('?subject_type=natural'),
      await list('?subject_type=legal'),
    ];
    expect(all).toHaveLength(20);
    expect(await list('?subject_type=both')).toEqual(all);
    const kinds = (templates: RuleTemplateList['data']) =>
      [...new Set(templates.map(({ subject_type }) => subject_type))].sort();
    expect(kinds(natural)).toEqual(['both', 'natural']);
    expect(kinds(legal)).toEqual(['both', 'legal']);
    for (const { severity, score, description, legal_basis } of all) {
      expect(['approve', 'review', 'reject']).toContain(severity);
      expect(score).toBeGreaterThanOrEqual(0);
      expect([description.es, description.en, legal_basis.es, legal_basis.en].every(Boolean)).toBe(true);
    }
    expect((await call('/v1/templates?group=weather')).status).toBe(400);
    expect((await call('/v1/templates?subject_type=robot')).status).toBe(400);
  });

  it('are added once; what is there stays as it is, edited or not', async () => {
    const natural = (await seed('natural')).body;
    expect(natural.skipped).toBe(0);
    const [edited] = (await rules()).data as [RuleView];
    await call(`/v1/validations/${draftId}/rules/${edited.id}`, {
      method: 'PUT',
      body: { ...RULE, code: edited.code, score: 1 },
    });
    expect((await seed('natural')).body).toMatchObject({ added: 0, skipped: natural.added });
    const both = (await seed('both')).body;
    expect([both.added + natural.added, both.skipped]).toEqual([20, natural.added]);
    const seeded = await everyRule();
    expect(seeded).toHaveLength(20);
    expect(seeded.find(({ code }) => code === edited.code)?.score).toBe(1);
  });

  it('come in the same order, seeded at once or in two steps', async () => {
    await seed('legal');
    await seed('natural');
    const inSteps = (await everyRule()).map(({ code }) => code);
    const other = await seededDraft(compliance, tenant.apiKey);
    const atOnce = (await call<RulePage>(`/v1/validations/${other}/rules?limit=100`)).body.data;
    expect(inSteps).toEqual(atOnce.map(({ code }) => code));
  });

  it('are added once by calls at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => seed('both')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(20);
  });

  it('lint without an error', async () => {
    await seed('both');
    const { status, body } = await post<{ errors: object[] }>(`/v1/validations/${draftId}/lint`);
    expect([status, body.errors]).toEqual([200, []]);
  });

  it.each([[{}], [{ validation_id: 5, subject_type: 'both' }], [{ validation_id: 'x', subject_type: 'robot' }]])(
    'are not added for %j',
    async (body) => {
      expect((await post('/v1/rules/seed-defaults', body)).status).toBe(400);
    },
  );
});
