import { testMember } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readers, textOf } from '../../../../libs/pdf-sealing/src/poppler.fixture.ts';
import { TenantCases, type Workbench, workbench } from '../cases/case-workbench.fixture.ts';
import { knownVersion } from '../period-reports/period-facts.fixture.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import { noticedScreening } from '../cases/cases.fixture.ts';

let bench: Workbench;
let cases: TenantCases;

beforeAll(async () => {
  bench = await workbench();
});
beforeEach(async () => {
  cases = await TenantCases.of(bench);
});
afterAll(async () => bench?.close());

/** The PDF's text, with one space wherever lines and columns are apart. */
async function report(id: string, headers: Record<string, string> = { 'x-api-key': cases.tenant.apiKey }) {
  const answer = await fetch(`${bench.compliance.url}/v1/cases/${id}/report`, { headers });
  const pdf = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="case-${id}.pdf"`);

  return textOf(pdf).replaceAll(/\s+/g, ' ');
}

describe.skipIf(!readers.poppler)('the PDF of a case', () => {
  it('says whom it is about, what matched and was decided, what is attached and what happened', async () => {
    const id = await cases.open({
      subject: { ...noticedScreening().subject, full_name: 'Жанна Ñusta Łódź', amount: 1_250_000, currency: 'COP' },
    });
    const { sha256 } = (await cases.attach<{ sha256: string }>(id, { name: 'cédula.png' }, { 'x-actor': 'ana' })).body;
    await cases.act(id, 'comment', { body: `Primera línea.\n${'Palabra larga y repetida. '.repeat(150)}` });
    await cases.act(id, 'resolve', { decision: 'false_positive', reason: 'Nació en otro año.', discriminating_data: ['birth_date'] }); // prettier-ignore
    const text = await report(id);
    const { timeline } = (await cases.show(id)).body;
    for (const said of [
      id,
      'Жанна Ñusta Łódź',
      'Valor COP 1.250.000',
      'Rosa Ejemplo · PEP pep-1 · coincide en 90%',
      'SARLAFT-PEP-001',
      'No es la persona listada. ana,',
      'Nació en otro año.',
      'cédula.png',
      sha256,
      'ana: adjuntó un archivo',
      'Primera línea.',
      timeline.at(-1)?.hash as string,
      'Completa y sin cambios',
      'Página 1 de',
    ]) {
      expect(text).toContain(said);
    }
    const english = await report(id, { 'x-api-key': cases.tenant.apiKey, 'accept-language': 'en-GB, es;q=0.5' });
    expect(english).toContain('Amount COP 1,250,000');
    expect(english).toContain('Is not the listed person. ana,');
    expect(english).toContain('Complete and unchanged');
  }, 60_000);

  it('shows the ROS draft only to those who may read it, and hides from everybody else that there is one', async () => {
    const id = await cases.open();
    await cases.act(id, 'resolve', { decision: 'true_match', reason: 'Es ella.' });
    const reference = (await cases.show(id)).body.ros_reference as string;
    const forOfficer = await report(id);
    expect(forOfficer).toContain(reference);
    expect(forOfficer).toContain('se preparó el borrador de ROS');
    const analyst = (await testMember(bench.store, cases.tenant.id, 'analyst')).token;
    const forAnalyst = await report(id, { authorization: `Bearer ${analyst}` });
    expect(forAnalyst).toContain('Es la persona listada');
    expect(forAnalyst).not.toMatch(/ROS\b/);
  }, 60_000);

  it('has the ROS draft on paper, for those who may read it, until its subject is erased', async () => {
    await knownVersion(bench.store, 'PEP', 'of-ros', ['2026-01-01T05:00:00Z']);
    const subjectRef = 'customer-ros';
    const id = await cases.open({ subjectRef, listVersions: { PEP: 'of-ros' } });
    const url = `${bench.compliance.url}/v1/cases/${id}/ros-draft/pdf`;
    const get = (headers: Record<string, string> = { 'x-api-key': cases.tenant.apiKey }) => fetch(url, { headers });
    expect((await get()).status).toBe(404);
    await cases.act(id, 'resolve', { decision: 'true_match', reason: 'Coincide la cédula.' });
    const { ros_reference: reference, lists_when_decided: lists } = (await cases.get<CaseDossierView>(`/v1/cases/${id}`)).body; // prettier-ignore
    expect(lists).toMatchObject([{ code: 'PEP', version: 'of-ros', imported_at: '2026-01-01T05:00:00.000Z', stale: true }]); // prettier-ignore
    const answer = await get({ 'x-api-key': cases.tenant.apiKey, 'x-actor': 'ana.oficial' });
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="ros-draft-${reference}.pdf"`);
    const text = textOf(Buffer.from(await answer.arrayBuffer())).replaceAll(/\s+/g, ' ');
    for (const said of [
      'BORRADOR',
      'RESERVADO',
      reference as string,
      'por ana.oficial',
      'Rosa Ejemplo Prueba',
      'Coincide la cédula.',
      'Versión of-ros',
      'actividad económica',
      'MÁS de los 30 días permitidos',
    ])
      // prettier-ignore
      expect(text).toContain(said);
    expect(await report(id)).toContain('MÁS de los 30 días permitidos');
    const analyst = (await testMember(bench.store, cases.tenant.id, 'analyst')).token;
    expect((await get({ authorization: `Bearer ${analyst}` })).status).toBe(403);
    const strangers = await TenantCases.of(bench);
    expect((await get({ 'x-api-key': strangers.tenant.apiKey })).status).toBe(404);
    await bench.compliance.call('/v1/erasures', { key: cases.tenant.apiKey, body: { subject_ref: subjectRef } });
    expect((await get()).status).toBe(404);
  }, 60_000);

  it('is not there for another tenant', async () => {
    const strangers = await TenantCases.of(bench);
    expect((await strangers.get(`/v1/cases/${await cases.open()}/report`)).status).toBe(404);
  });

  it('has every page that a long case needs, whatever people wrote', async () => {
    const long = { subject: { full_name: 'N'.repeat(1_000) }, hits: noticedScreening().hits.map((hit) => ({ ...hit, name: 'Ω'.repeat(9_000) })) }; // prettier-ignore
    const id = await cases.open(long);
    for (const body of ['x'.repeat(4_000), 'ж '.repeat(2_000), `${'y'.repeat(80)}\n`.repeat(49), '\u0001😀 שלום abc'])
      await cases.act(id, 'comment', { body });
    const text = await report(id);
    expect(text.match(/ana: comentó/g)).toHaveLength(4);
    expect(text.match(/y{80}/g)).toHaveLength(49);
  }, 60_000);
});
