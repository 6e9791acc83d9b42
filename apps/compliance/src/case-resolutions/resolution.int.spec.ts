import { canonicalJson } from '@constancia/kernel';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildIndex, type Hit, type ListEntry } from '@constancia/name-screening';
import { testMember } from '@constancia/testing';
import { dismissals } from '../screenings/dismissals.ts';
import type { Person } from '../screenings/look-up.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import { attachToCase } from '../cases/attach-to-case.ts';
import { noticedScreening, personalData, readContext } from '../cases/cases.fixture.ts';
import type { CaseHit } from '../case-records/noticed-screening.ts';
import type { RosDraft } from '../case-records/review-case.ts';
import { entryContentHash, subjectFactsHash } from '../case-records/suppression.ts';
import { BODIES, TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

const types = (timeline: { type: string }[]): string[] => timeline.map(({ type }) => type);
const ONU = { listHits: ['ONU'] as 'ONU'[], decision: 'reject' as const };

describe('a resolution', () => {
  it('is announced with its decision', async () => {
    const screening = noticedScreening();
    const id = await cases.open(screening);
    const { body } = await cases.act(id, 'resolve', { decision: 'reject', reason: 'It is the same person.' });
    expect(body.resolution).toMatchObject({ decision: 'reject', resolved_by: 'ana', approved_by: null });
    const [event] = await bench.store.query<{ body: string }>(`select body from platform.event where tenant_id = $1`, [
      cases.tenant.id,
    ]);
    const { event_type, payload } = JSON.parse((event as { body: string }).body) as Record<string, unknown>;
    expect([event_type, payload]).toEqual([
      'case.resolved',
      expect.objectContaining({ case_id: id, subject_ref: screening.subjectRef, decision: 'reject' }),
    ]);
  });

  it('that clears a hit of the United Nations names the data that tell the two apart', async () => {
    for (const decision of ['approve', 'false_positive']) {
      const id = await cases.open(ONU);
      const vague = await cases.act(id, 'resolve', { decision, reason: 'Looks fine to me.' });
      expect([vague.status, JSON.stringify(vague.body)]).toEqual([
        400,
        expect.stringContaining('discriminating_data_missing'),
      ]);
      const body = { decision, reason: 'Looks fine to me.', discriminating_data: ['birth_date'] };
      expect((await cases.act(id, 'resolve', body)).status).toBe(200);
    }
    const id = await cases.open(ONU);
    const named = { decision: 'approve', reason: 'La fecha de nacimiento y la cédula son otras.' };
    expect((await cases.act(id, 'resolve', named)).status).toBe(200);
    const rejected = { decision: 'reject', reason: 'It is.' };
    expect((await cases.act(await cases.open(ONU), 'resolve', rejected)).status).toBe(200);
  });
});

describe('four eyes', () => {
  const propose = async (): Promise<string> => {
    await cases.fourEyes('all');
    const id = await cases.open();
    const { body } = await cases.act(id, 'resolve');
    expect(body).toMatchObject({ status: 'pending_approval', proposal: { decision: 'approve', proposed_by: 'ana' } });
    return id;
  };

  it('a name that nobody vouches for is not the second person: 403, also to return', async () => {
    const id = await propose();
    await cases.fourEyes('all', { trusted_actor: false });
    const confirmed = await cases.act(id, 'confirm', undefined, { actor: 'bea' });
    expect([confirmed.status, JSON.stringify(confirmed.body)]).toEqual([403, expect.stringContaining('trusted_actor')]);
    expect((await cases.act(id, 'return', { reason: 'Wait.' }, { actor: 'bea' })).status).toBe(403);
    await cases.fourEyes('all');
    expect((await cases.act(id, 'confirm', undefined, { actor: 'bea' })).status).toBe(200);
  });

  it('the timeline names the key and the person that it acted for', async () => {
    const id = await propose();
    const { body } = await cases.act(id, 'confirm', undefined, { actor: 'bea' });
    const by = { kind: 'key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'default' };
    expect(body.timeline.map(({ type, data }) => [type, data.by])).toEqual(
      expect.arrayContaining([
        ['resolution_proposed', { ...by, on_behalf_of: 'ana' }],
        ['resolved', { ...by, on_behalf_of: 'bea' }],
      ]),
    );
    expect(body.chain_valid).toBe(true);
  });

  it('another person confirms what one proposed', async () => {
    const id = await propose();
    expect(await cases.emitted()).toEqual([]);
    for (const actor of ['ana', 'ANA', ' ana '])
      expect((await cases.act(id, 'confirm', undefined, { actor })).status).toBe(409);
    const { status, body } = await cases.act(id, 'confirm', undefined, { actor: 'bea' });
    expect([status, body.status, body.proposal]).toEqual([200, 'resolved', null]);
    expect(body.resolution).toMatchObject({ decision: 'approve', resolved_by: 'ana', approved_by: 'bea' });
    expect(types(body.timeline)).toEqual(['opened', 'resolution_proposed', 'resolved']);
    expect(await cases.emitted()).toEqual(['case.resolved']);
  });

  it('the case is shown to each with the actions that are theirs', async () => {
    const id = await propose();
    const path = `/v1/cases/${id}`;
    const asName = async (actor?: string) => {
      const headers: Record<string, string> = actor === undefined ? {} : { 'x-actor': actor };
      const { body } = await bench.compliance.call<CaseDossierView>(path, { key: cases.tenant.apiKey, headers });
      return body.allowed_actions;
    };
    expect(await asName('ana')).toEqual(['comment', 'attach', 'withdraw']);
    expect(await asName('bea')).toEqual(['comment', 'attach', 'confirm', 'return']);
    expect(await asName()).toEqual(['comment', 'attach']);
    const member = async (role: 'analyst' | 'supervisor' | 'auditor') => {
      return (await testMember(bench.store, cases.tenant.id, role)).token;
    };
    const asMember = async (token: string) => {
      return (await bench.compliance.call<CaseDossierView>(path, { member: token })).body.allowed_actions;
    };
    const supervisor = await member('supervisor');
    expect(await asMember(supervisor)).toEqual(['comment', 'attach', 'confirm', 'return']);
    expect(await asMember(await member('analyst'))).toEqual(['comment', 'attach']);
    expect(await asMember(await member('auditor'))).toEqual([]);
    await cases.act(id, 'return', BODIES.return, { actor: 'bea' });
    await bench.compliance.call(`${path}/resolve`, { member: supervisor, body: BODIES.resolve });
    expect(await asMember(supervisor)).toEqual(['comment', 'attach', 'withdraw']);
    expect(await asName('bea')).toEqual(['comment', 'attach', 'confirm', 'return']);
  });

  it('or returns it with a reason', async () => {
    const id = await propose();
    expect((await cases.act(id, 'return', BODIES.return, { actor: 'ana' })).status).toBe(409);
    expect((await cases.act(id, 'return', {}, { actor: 'bea' })).status).toBe(400);
    const { body } = await cases.act(id, 'return', BODIES.return, { actor: 'bea' });
    expect(body).toMatchObject({ status: 'in_review', proposal: null, resolution: null });
    expect(body.timeline.at(-1)).toMatchObject({ type: 'resolution_returned', actor: 'bea' });
    expect(await cases.emitted()).toEqual([]);
  });

  it('or who proposed it withdraws it, and nobody else does', async () => {
    const id = await propose();
    const withdraw = (actor: string, body?: object) => cases.act(id, 'withdraw', { ...body }, { actor });
    const refused = await withdraw('bea');
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([409, expect.stringContaining('who proposed it')]);
    const reason = 'The wrong document.';
    const { status, body } = await withdraw('ana', { reason });
    expect([status, body.status, body.proposal]).toEqual([200, 'in_review', null]);
    expect(body.timeline.at(-1)).toMatchObject({
      type: 'resolution_withdrawn',
      actor: 'ana',
      from: 'pending_approval',
      to: 'in_review',
      data: { decision: 'approve', reason, by: { on_behalf_of: 'ana' } },
    });
    expect(body.chain_valid).toBe(true);
    expect((await withdraw('ana')).status).toBe(409);
    expect((await cases.act(id, 'confirm', undefined, { actor: 'bea' })).status).toBe(409);
    expect(await cases.emitted()).toEqual([]);
    expect((await cases.act(id, 'resolve')).body.status).toBe('pending_approval');
    expect((await cases.act(id, 'withdraw')).body.timeline.at(-1)?.data).not.toHaveProperty('reason');
  });

  it('cannot be one person behind one key without names', async () => {
    const id = await propose();
    const nameless = () =>
      bench.compliance.call<{ status: unknown }>(`/v1/cases/${id}/confirm`, {
        method: 'POST',
        key: cases.tenant.apiKey,
      });
    await cases.act(id, 'return', BODIES.return, { actor: 'bea' });
    await bench.compliance.call(`/v1/cases/${id}/resolve`, { key: cases.tenant.apiKey, body: BODIES.resolve });
    expect((await nameless()).status).toBe(409);
    expect((await cases.act(id, 'confirm', undefined, { actor: 'bea' })).status).toBe(200);
  });

  it('of the United Nations list only, when set so', async () => {
    await cases.fourEyes('onu');
    const other = await cases.act(await cases.open(), 'resolve');
    const onu = await cases.act(await cases.open(ONU), 'resolve');
    expect([other.body.status, onu.status]).toEqual(['resolved', 200]);
    expect(onu.body.status).toBe('pending_approval');
  });

  it('see everything: a screening that comes meanwhile returns the proposal', async () => {
    await cases.fourEyes('all');
    const screening = noticedScreening();
    const id = await cases.open(screening);
    await cases.act(id, 'resolve');
    await cases.open({ ...screening, trigger: 'list_update', actor: 'system' });
    const { body } = await cases.show(id);
    expect([body.status, types(body.timeline)]).toEqual([
      'in_review',
      ['opened', 'resolution_proposed', 'rescreened', 'resolution_returned'],
    ]);
  });
});

describe('a true match', () => {
  const TRUE_MATCH = { decision: 'true_match', reason: 'Same document number.' };

  it('rejects, confirms the hits, drafts a ROS, and nothing of it leaves the house', async () => {
    const screening = noticedScreening({ decision: 'reject', listHits: ['OFAC'] });
    const id = await cases.open(screening);
    expect((await cases.get(`/v1/cases/${id}/ros-draft`)).status).toBe(404);
    const { body } = await cases.act(id, 'resolve', TRUE_MATCH);
    expect(types(body.timeline)).toEqual(['opened', 'hit_confirmed', 'resolved', 'ros_drafted']);
    expect(body.ros_reference).toMatch(/^ROS-\d{4}-[0-9A-Z]{12}$/);
    const { body: draft } = await cases.get<RosDraft>(`/v1/cases/${id}/ros-draft`);
    expect(draft).toMatchObject({
      reference: body.ros_reference,
      case_id: id,
      subject: { full_name: 'Rosa Ejemplo Prueba', document_number: '1000000001', reference: screening.subjectRef },
      matches: [{ list: 'PEP', entry_id: 'pep-1' }],
      analyst_reason: 'Same document number.',
    });
    expect(draft.narrative['es-CO']).toContain('Rosa Ejemplo');
    const hash = createHash('sha256').update(canonicalJson(draft)).digest('hex');
    expect(body.timeline.at(-1)?.data).toMatchObject({ reference: body.ros_reference, draft_sha256: hash });
    await cases.act(id, 'reopen');
    await cases.act(id, 'resolve', { decision: 'approve', reason: 'It was not.' });
    expect(await cases.emitted()).toEqual([]);
    expect((await cases.get<{ ros_drafts: number }>('/v1/cases/stats')).body.ros_drafts).toBe(1);
  });

  it('that is proposed drafts nothing until it is confirmed', async () => {
    await cases.fourEyes('all');
    const id = await cases.open();
    await cases.act(id, 'resolve', TRUE_MATCH);
    expect((await cases.get(`/v1/cases/${id}/ros-draft`)).status).toBe(404);
    await cases.act(id, 'confirm', undefined, { actor: 'bea' });
    const { body } = await cases.get<RosDraft>(`/v1/cases/${id}/ros-draft`);
    expect(body.drafted_by).toBe('bea');
    expect(await cases.emitted()).toEqual([]);
  });

  it('may name the hits that it is about, and none that the case does not have', async () => {
    const [pep] = noticedScreening().hits as [CaseHit];
    const id = await cases.open({ hits: [pep, { ...pep, entry_id: 'pep-2', name: 'Another' }] });
    const unknown = await cases.act(id, 'resolve', { ...TRUE_MATCH, hits: [{ list: 'PEP', entry_id: 'pep-3' }] });
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([400, expect.stringContaining('/hits/0')]);
    const { body } = await cases.act(id, 'resolve', { ...TRUE_MATCH, hits: [{ list: 'PEP', entry_id: 'pep-2' }] });
    expect(body.timeline.filter(({ type }) => type === 'hit_confirmed').map(({ data }) => data['entry_id'])).toEqual([
      'pep-2',
    ]);
  });

  it('silences what is attached to the case later', async () => {
    const screening = noticedScreening();
    const id = await cases.open(screening);
    await cases.act(id, 'resolve', TRUE_MATCH);
    await cases.act(id, 'reopen');
    const context = await readContext(bench.database, cases.tenant.id, screening);
    expect(attachToCase(cases.tenant.id, context, screening)).toMatchObject({ emits: false, events: [] });
  });
});

describe('a false positive', () => {
  const ENTRY: ListEntry = {
    id: 'pep-1', kind: 'person', names: [{ text: 'Rosa Ejemplo', quality: 'primary' }],
    birthDates: [], countries: ['CO'], identifiers: [], programmes: [],
  }; // prettier-ignore
  const SUBJECT: Person = { full_name: 'Rosa Ejemplo Prueba', birth_date: '1990-01-02' };

  const counting = async (
    key: ReturnType<typeof noticedScreening>,
    entry: ListEntry = ENTRY,
    subject: Person = SUBJECT,
  ) => {
    const { suppressions } = await readContext(bench.database, cases.tenant.id, key);
    const keyring = await (await personalData(bench.database)).tenant(cases.tenant.id);
    const isDismissed = dismissals(suppressions, { indexes: [buildIndex('PEP', [entry])] }, 'natural', keyring);
    return isDismissed({ list: 'PEP', entryId: entry.id } as Hit, null, subject) ? 0 : 1;
  };

  const dismissed = async () => {
    const [hit] = noticedScreening().hits as [CaseHit];
    const hashes = {
      entry_hash: entryContentHash(ENTRY),
      subject_hash: subjectFactsHash({ ...SUBJECT, subjectType: 'natural' }),
    };
    const screening = noticedScreening({ hits: [{ ...hit, ...hashes }] });
    const id = await cases.open(screening);
    expect(await counting(screening)).toBe(1);
    const { body } = await cases.act(id, 'resolve', { decision: 'false_positive', reason: 'Another person.' });
    expect(types(body.timeline)).toEqual(['opened', 'hit_dismissed', 'resolved']);
    return { id, screening };
  };

  it('dismisses the hit while the entry and the subject stay what they are', async () => {
    const { screening } = await dismissed();
    expect(await counting(screening)).toBe(0);
    expect(await counting(screening, { ...ENTRY, id: 'pep-renumbered' })).toBe(0);
    expect(await counting(screening, ENTRY, { ...SUBJECT, full_name: ' rosa  ejemplo prueba' })).toBe(0);
    expect(await cases.emitted()).toEqual(['case.resolved']);
  });

  it.each<[string, ListEntry, Person]>([
    ['an alias', { ...ENTRY, names: [...ENTRY.names, { text: 'R. Prueba', quality: 'strong' }] }, SUBJECT],
    ['a birth date', { ...ENTRY, birthDates: [{ from: '1990-01-02', to: '1990-01-02', circa: false }] }, SUBJECT],
    ['a programme', { ...ENTRY, programmes: ['SDGT'] }, SUBJECT],
    ['a name of the subject', ENTRY, { ...SUBJECT, full_name: 'Rosa Ejemplo' }],
    ['a birth date of the subject', ENTRY, { ...SUBJECT, birth_date: '1990-01-03' }],
    ['a document of the subject', ENTRY, { ...SUBJECT, document_type: 'CC', document_number: '1' }],
  ])('and no longer once it is another: %s', async (_, entry, subject) => {
    const { screening } = await dismissed();
    expect(await counting(screening, entry, subject)).toBe(1);
  });

  it('counts for this subject and tenant alone, and no more once the case is reopened', async () => {
    const { id, screening } = await dismissed();
    expect(await counting({ ...screening, subjectRef: 'someone-else' })).toBe(1);
    await cases.act(id, 'reopen');
    expect(await counting(screening)).toBe(1);
    await cases.act(id, 'resolve', { decision: 'false_positive', reason: 'Another person, after all.' });
    expect(await counting(screening)).toBe(0);
    const first = cases;
    cases = await TenantCases.of(bench);
    expect(await counting(screening)).toBe(1);
    cases = first;
  });
});
