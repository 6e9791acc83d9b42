/**
 * What a change of a list costs: 100,000 subjects that were screened before, 100 entries added, changed or removed. Everything is
 * real: subjects and screenings are in Postgres, the lists are imported, the job is claimed and finished. The other side is a full
 * rescreening: each subject matched against all lists and decided, in one loop, without reading or writing anything. Afterwards the
 * results of both are compared, subject by subject.
 */
import 'reflect-metadata';
import fs from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadConfig } from '@constancia/config';
import { ChargedWork } from '@constancia/credit-ledger';
import { Idempotency } from '@constancia/idempotency';
import { bogotaDay, type ListCode, SecretBox, uuidv7 } from '@constancia/kernel';
import { importList, type ListEntry, MATCHER_VERSION, SANDBOX_CSV } from '@constancia/name-screening';
import { Database, urlFor } from '@constancia/persistence';
import { migrateQueue, Queues } from '@constancia/queue';
import { EVALUATOR_VERSION } from '@constancia/rule-graph';
import { createLogger, Metrics } from '@constancia/telemetry';
import pg from 'pg';
import { ComplianceConfig } from '../../apps/compliance/src/config.ts';
import { listPartsOf } from '../../apps/compliance/src/lists/list-parts.ts';
import type { PinnedLists } from '../../apps/compliance/src/lists/pinned-lists.ts';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { type RescreenJob, RescreenJobs } from '../../apps/compliance/src/monitoring/rescreen-jobs.ts';
import { matchesText, Rescreening } from '../../apps/compliance/src/monitoring/rescreening.ts';
import { assess, outcomeText, type ScreeningOutcome } from '../../apps/compliance/src/screenings/assess.ts';
import { screeningPartsOf } from '../../apps/compliance/src/screenings/screening-parts.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { prepareDatabase, startCluster, TEST_PASSWORD } from '../../libs/testing/src/cluster.ts';
import { testTenant } from '../../libs/testing/src/tenants.ts';
import type { TestDatabase } from '../../libs/testing/src/test-database.ts';
import { listsLoaded, seededValidation } from '../test/compliance-setups.ts';
import { runningCompliance } from '../test/running-compliance.ts';
import { median, report } from './measure.ts';
import { syntheticPeople } from './synthetic-people.ts';

const SUBJECTS = Number(process.env.BENCH_SUBJECTS ?? 100_000);
const CHANGES = 100;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SHARED = path.resolve('../shared/lists');
const KEY = Buffer.alloc(32, 5).toString('base64');
const REAL: [ListCode, string][] = [
  ['OFAC', 'ofac-2021-07/sdn.csv'],
  ['ONU', 'un-2026-02/UN_consolidated.xml'],
  ['EU_SANCTIONS', 'eu-journal-2026-08/consolidated'],
  ['PEP', 'pep-us-congress/us_congress_senzing.jsonl'],
  ['FATF', 'fatf-2026-02/fatf.csv'],
];

interface Subject {
  ref: string;
  payload: {
    full_name: string;
    birth_date: string;
    country_code: string;
    document_type: string;
    document_number: string;
  };
}

function subjectsAmong(listed: readonly ListEntry[]): Subject[] {
  return [...syntheticPeople(SUBJECTS, 7)].map(({ fullName, birthDate }, nth) => {
    const full_name = nth % 1_000 === 0 ? (listed[nth / 1_000]?.names[0]?.text ?? fullName) : fullName;
    const document_number = String(10_000_000 + nth * 7_919);
    return {
      ref: `subject-${nth}`,
      payload: { full_name, birth_date: birthDate, country_code: 'CO', document_type: 'CC', document_number },
    };
  });
}

/** A third added, every third of them with the name of a subject; a third changed, a third removed. */
function changed(entries: readonly ListEntry[], subjects: readonly Subject[]): ListEntry[] {
  const third = Math.floor(CHANGES / 3);
  const added = Array.from({ length: CHANGES - 2 * third }, (_, nth): ListEntry => {
    const { payload } = subjects[Math.floor((nth * SUBJECTS) / CHANGES) + 7] as Subject;
    const listed = (entries[entries.length - 1 - nth] as ListEntry).names[0]?.text ?? '';
    const text = nth % 3 === 0 ? payload.full_name : `${listed} ibn Ahmad`;
    return { ...(entries[0] as ListEntry), id: `new-${nth}`, names: [{ text, quality: 'primary' }], birthDates: [], identifiers: [] }; // prettier-ignore
  });
  const other = (entry: ListEntry): ListEntry => ({ ...entry, programmes: [...entry.programmes, 'BENCH'] });
  return [...entries.slice(0, third).map(other), ...entries.slice(2 * third), ...added];
}

/** In the form that operators write. */
function csvOfEntries(entries: readonly ListEntry[]): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const many = (texts: readonly string[]) => quoted(texts.map((text) => quoted(text)).join('; '));
  const rows = entries.map(({ id, kind, names, programmes, countries }) => {
    const [first, ...more] = names;
    const aliases = (quality: string) => many(more.filter((name) => name.quality === quality).map(({ text }) => text));
    return [quoted(id), kind, quoted(first?.text ?? id), aliases('strong'), aliases('weak'), many(countries), many(programmes)].join(','); // prettier-ignore
  });
  return Buffer.from(['id,kind,name,aliases,weak_aliases,countries,programmes', ...rows, ''].join('\n'));
}

const cluster = await startCluster({ durable: true });
try {
  report(await bench());
} finally {
  await cluster.remove();
}

async function bench() {
  await prepareDatabase(cluster.adminUrl, [PLATFORM, COMPLIANCE], migrateQueue);
  const admin = new pg.Pool({ connectionString: cluster.adminUrl, max: 2 });
  const store = {
    app: (schema: string) => urlFor(cluster.adminUrl, `${schema}_app`, TEST_PASSWORD),
    queueUrl: urlFor(cluster.adminUrl, 'queue_app', TEST_PASSWORD),
    query: async (sql: string, params: unknown[] = []) => (await admin.query(sql, params)).rows,
  } as unknown as TestDatabase;
  const tenant = await testTenant(store);
  const app = await runningCompliance(store);
  await listsLoaded(app, tenant.apiKey);
  await seededValidation(app, tenant.apiKey);
  await app.close();

  const logger = createLogger({ app: 'bench', level: 'error' });
  const metrics = new Metrics({ app: 'bench' });
  const database = await Database.connect({ url: store.app('compliance'), applicationName: 'bench', poolSize: 10 });
  const queues = new Queues({
    app: 'compliance',
    databaseUrl: store.queueUrl,
    sealingKey: SecretBox.fromText(KEY),
    logger,
  });
  const config = loadConfig(ComplianceConfig, {
    SERVICE_ENVIRONMENT: 'production', BASE_URL: 'https://bench.example', DATABASE_URL: store.app('compliance'), QUEUE_DATABASE_URL: store.queueUrl, SECRETS_KEY: KEY, QUEUE_SEALING_KEY: KEY,
  }); // prettier-ignore
  const { lists, imports } = listPartsOf(config, { database, logger, metrics });
  const work = new ChargedWork(database, 'compliance', new Idempotency('compliance', SecretBox.fromText(KEY)));
  const parts = screeningPartsOf({ database, lists, work, queues });
  const real = fs.existsSync(SHARED);
  const operator = { tenantId: null, operator: 'bench' };

  const imported = performance.now();
  if (real)
    for (const [list, file] of REAL)
      await imports.run({ ...operator, list, files: [{ path: path.join(SHARED, file) }] });
  const importMs = performance.now() - imported;
  const swapped = performance.now();
  await lists.refresh();
  const swapMs = performance.now() - swapped;

  const source = real ? path.join(SHARED, 'un-2026-02/UN_consolidated.xml') : [{ name: 'onu.csv', open: () => new Blob([SANDBOX_CSV.ONU]).stream() as never }]; // prettier-ignore
  const before = (await importList('auto', source)).entries;
  const versionOf = (entries: readonly ListEntry[]) =>
    imports.run({ ...operator, list: 'ONU', files: [{ name: 'onu.csv', bytes: csvOfEntries(entries) }], force: true });
  await versionOf(before);
  await lists.refresh();

  const subjects = subjectsAmong(before);
  const [row] = await store.query<{ id: string; rules_hash: Buffer }>(
    'select id, rules_hash from compliance.validation',
  );
  const validation = await parts.compiled.byUuid(tenant.id, (row as { id: string }).id);
  const full = (pinned: PinnedLists, subject: Subject): ReturnType<typeof assess> =>
    assess({
      subjectType: 'natural', payload: subject.payload, screenedOn: bogotaDay(Date.now()), lists: pinned, history: { decisions: [], screenings: [] },
      validation: validation.compiled, isDismissed: () => false,
    }); // prettier-ignore
  await storeScreenings(await lists.current());

  const jobs = new RescreenJobs(database);
  const rescreening = new Rescreening({ database, jobs, lists, screen: parts.screen });
  const rounds: { ms: number; affected: number; rescreened: number; lateMs: number }[] = [];
  const states = [changed(before, subjects), before];
  for (let round = 0; round < ROUNDS; round++) {
    await versionOf(states[round % 2] as ListEntry[]);
    await lists.refresh();
    rounds.push(await timed());
  }
  const compared = await compareWithFull(await lists.current());
  await admin.end();
  await queues.close();
  await database.close();

  const ms = median(rounds.map((round) => round.ms));
  const { affected, rescreened } = rounds[1] as (typeof rounds)[number];
  return [
    {
      name: `Rescreen ${SUBJECTS.toLocaleString('en')} subjects after ${CHANGES} changed entries, from the claim to the finished job (median of ${ROUNDS}; ${affected} concerned, ${rescreened} screened again)`,
      ours: `${(ms / 1000).toFixed(2)} s`,
      other: `full rescreening, matching alone: ${(compared.ms / 1000).toFixed(1)} s`,
      ratio: compared.ms / ms,
      goal: '≤ 2 s',
    },
    {
      name: 'Subjects whose result differs from that of the full rescreening',
      ours: `${compared.different}`,
      other: '–',
      ratio: null,
      goal: '0',
    },
    {
      name: 'Longest time that the process answered nobody meanwhile',
      ours: `${Math.max(...rounds.map((round) => round.lateMs)).toFixed(0)} ms`,
      other: '–',
      ratio: null,
      goal: '–',
    },
    {
      name: 'Import of all of ../shared/lists, to the commit; loading them in a process',
      ours: real ? `${(importMs / 1000).toFixed(2)} s; ${(swapMs / 1000).toFixed(2)} s` : 'not there',
      other: '–',
      ratio: null,
      goal: '≤ 5 s',
    },
  ];

  /** As the API would have stored them, with the lists as they are. */
  async function storeScreenings(pinned: PinnedLists): Promise<void> {
    for (let from = 0; from < subjects.length; from += 2_000) {
      const rows = subjects.slice(from, from + 2_000).map((subject) => {
        const { facts, outcome } = full(pinned, subject);
        return {
          id: uuidv7(), tenant_id: tenant.id, validation_id: validation.id, validation_code: validation.code, validation_version: validation.version,
          rules_hash: `\\x${validation.rulesHash.toString('hex')}`, subject_ref: subject.ref, subject_type: 'natural', trigger: 'api', request_id: null,
          decision: outcome.decision, score: outcome.score, list_hits: outcome.list_hits, facts, dismissed: [], result: outcomeText(outcome),
          list_versions: outcome.list_versions, matcher_version: MATCHER_VERSION, evaluator_version: EVALUATOR_VERSION, case_id: null, credits_debited: 8,
          created_at: new Date(),
        }; // prettier-ignore
      });
      const columns = Object.keys(rows[0] as object).join(', ');
      await store.query(
        `insert into compliance.screening (${columns}) select ${columns} from jsonb_populate_recordset(null::compliance.screening, $1)`,
        [JSON.stringify(rows)],
      );
    }
    await store.query('vacuum analyze compliance.monitored_subject');
  }

  async function timed() {
    const job = (await jobs.claim()) as RescreenJob;
    const delay = monitorEventLoopDelay({ resolution: 2 });
    delay.enable();
    const began = performance.now();
    const done = await rescreening.run(job, new AbortController().signal);
    const took = performance.now() - began;
    delay.disable();
    // The late pass finds nothing to do; the next round must not find its job.
    await store.query(`update compliance.rescreen_job set status = 'done' where id = $1`, [job.id]);
    return { ms: took, affected: done?.affected ?? 0, rescreened: done?.rescreened ?? 0, lateMs: delay.max / 1e6 };
  }

  async function compareWithFull(pinned: PinnedLists): Promise<{ ms: number; different: number }> {
    const began = performance.now();
    const fullTexts = subjects.map((subject) => matchesText(full(pinned, subject).outcome));
    const took = performance.now() - began;
    const latest = await store.query<{ subject_ref: string; result: string }>(
      `select m.subject_ref, s.result from compliance.monitored_subject m join compliance.screening s on s.id = m.screening_id`,
    );
    const stored = new Map(latest.map(({ subject_ref, result }) => [subject_ref, matchesText(JSON.parse(result) as ScreeningOutcome)])); // prettier-ignore
    return { ms: took, different: subjects.filter(({ ref }, nth) => stored.get(ref) !== fullTexts[nth]).length };
  }
}
