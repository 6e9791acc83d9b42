/**
 * What a change of a list costs: 100,000 subjects that were screened before, 100 entries added, changed or removed. Everything is
 * real: subjects and screenings are in Postgres, the lists are imported, the job is claimed and finished. The other side is a full
 * rescreening: each subject matched against all lists and decided, in one loop, without reading or writing anything. Afterwards the
 * results of both are compared, subject by subject.
 */
import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { loadConfig } from '@constancia/config';
import { ChargedWork } from '@constancia/credit-ledger';
import { Idempotency } from '@constancia/idempotency';
import { bogotaDay, SecretBox, uuidv7 } from '@constancia/kernel';
import { importList, type ListEntry, MATCHER_VERSION, SANDBOX_CSV } from '@constancia/name-screening';
import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { EVALUATOR_VERSION } from '@constancia/rule-graph';
import { createLogger } from '@constancia/telemetry';
import { ComplianceConfig } from '../../apps/compliance/src/config.ts';
import { ListBuilds } from '../../apps/compliance/src/lists/list-builds.ts';
import { ListContents } from '../../apps/compliance/src/lists/list-contents.ts';
import { ListImports } from '../../apps/compliance/src/lists/list-imports.ts';
import { ListJobThreads } from '../../apps/compliance/src/lists/list-job-runner.ts';
import { Lists } from '../../apps/compliance/src/lists/lists.ts';
import type { PinnedLists } from '../../apps/compliance/src/lists/pinned-lists.ts';
import { COMPLIANCE } from '../../apps/compliance/src/migrations/all.ts';
import { type ClaimedJob, RescreenJobs } from '../../apps/compliance/src/monitoring/rescreen-jobs.ts';
import { matchesText, Rescreening } from '../../apps/compliance/src/monitoring/rescreening.ts';
import { assess, outcomeText, type ScreeningOutcome } from '../../apps/compliance/src/screenings/assess.ts';
import { Screen } from '../../apps/compliance/src/screenings/screen.ts';
import { ScreeningContext } from '../../apps/compliance/src/screenings/screening-context.ts';
import {
  type MaybeSealed,
  openScreening,
  SEALED_RESULT,
  sealScreening,
} from '../../apps/compliance/src/screenings/sealed-screening.ts';
import { CompiledValidations } from '../../apps/compliance/src/validations/compiled-validations.ts';
import { PLATFORM } from '../../apps/platform/src/migrations/all.ts';
import { productionVariables, testTenant } from '@constancia/testing/tenants';
import { listsLoaded, seededValidation } from '../../apps/compliance/src/compliance-setups.fixture.ts';
import { runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { testKms } from '@constancia/testing/test-kms';
import { benchDatabase } from './bench-database.ts';
import { changed, csvOfEntries, type Subject, subjectsAmong } from './changed-list.ts';
import { PUBLISHED } from './lists-corpus.ts';
import { median, report } from './measure.ts';
import { COMPLIANCE_TABLES } from '../../apps/compliance/src/tables.ts';

const SUBJECTS = Number(process.env.BENCH_SUBJECTS ?? 100_000);
const CHANGES = 100;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const KEY = Buffer.alloc(32, 5).toString('base64');
const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

const store = await benchDatabase([PLATFORM, COMPLIANCE]);
try {
  report(await bench());
} finally {
  await store.drop();
}
process.exit(0); // the development KMS of the test app keeps the process alive

async function bench() {
  const tenant = await testTenant(store);
  const app = await runningCompliance(store);
  await listsLoaded(app, tenant.apiKey);
  await seededValidation(app, tenant.apiKey);
  await app.close();

  const logger = createLogger({ app: 'bench', level: 'error' });
  const database = await Database.connect({
    url: store.app('compliance'),
    applicationName: 'bench',
    poolSize: 10,
    entities: COMPLIANCE_TABLES,
  });
  const queues = new Queues({
    app: 'compliance',
    databaseUrl: store.queueUrl,
    sealingKey: SecretBox.fromText(KEY),
    logger,
  });
  const config = loadConfig(ComplianceConfig, {
    ...productionVariables(), BASE_URL: 'https://bench.example', COMPLIANCE_URL: 'https://compliance.bench.example',
    SIGNING_URL: 'https://signing.bench.example', DATABASE_URL: store.app('compliance'), QUEUE_DATABASE_URL: store.queueUrl, DATA_KEY_ID: 'alias/data',
    STORAGE_DIR: 'nothing-is-archived',
  }); // prettier-ignore
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: (await testKms()).url });
  const personal = new PersonalData({ schema: 'compliance', database, dataKeys });
  const contents = new ListContents(database, personal);
  const jobThreads = new ListJobThreads();
  const lists = new Lists(database, new ListBuilds(database, contents, jobThreads), config, logger);
  const imports = new ListImports(database, contents, jobThreads);
  const work = new ChargedWork(database, 'compliance', new Idempotency('compliance', SecretBox.fromText(KEY)));
  const keyring = await personal.tenant(tenant.id);
  const validations = new CompiledValidations(database);
  const screen = new Screen(new ScreeningContext(database, personal), validations, lists, work, queues);
  const operator = { tenantId: null, operator: 'bench' };

  const imported = performance.now();
  for (const { list, path } of PUBLISHED) await imports.run({ ...operator, list, files: [{ path }] });
  const importMs = performance.now() - imported;
  const swapped = performance.now();
  await lists.refresh();
  const swapMs = performance.now() - swapped;

  const published = PUBLISHED.find(({ list }) => list === 'ONU')?.path;
  const sandbox = { name: 'onu.csv', open: () => Readable.from([Buffer.from(SANDBOX_CSV.ONU)]) };
  const before = (await importList('auto', published ?? [sandbox])).entries;
  const versionOf = (entries: readonly ListEntry[]) =>
    imports.run({ ...operator, list: 'ONU', files: [{ name: 'onu.csv', bytes: csvOfEntries(entries) }], force: true });
  await versionOf(before);
  await lists.refresh();

  const subjects = subjectsAmong(before, SUBJECTS);
  const [row] = await store.query<{ id: string; rules_hash: Buffer }>(
    'select id, rules_hash from compliance.validation',
  );
  const validation = await validations.byUuid(tenant.id, (row as { id: string }).id);
  const full = (pinned: PinnedLists, subject: Subject): ReturnType<typeof assess> =>
    assess({
      subjectType: 'natural', payload: subject.payload, screenedOn: bogotaDay(Date.now()), lists: pinned, history: { decisions: [], screenings: [] },
      validation: validation.compiled, isDismissed: () => false,
    }); // prettier-ignore
  await storeScreenings(await lists.current());

  const jobs = new RescreenJobs(database);
  const rescreening = new Rescreening(database, personal, jobs, lists, contents, screen);
  const rounds: { ms: number; affected: number; rescreened: number; lateMs: number }[] = [];
  const states = [changed(before, subjects, CHANGES), before];
  for (let round = 0; round < ROUNDS; round++) {
    await versionOf(states[round % 2] as ListEntry[]);
    await lists.refresh();
    rounds.push(await timed());
  }
  await rescreening.close();
  const compared = await compareWithFull(await lists.current());
  await queues.close();
  await database.close();

  const ms = median(rounds.map((round) => round.ms));
  const { affected, rescreened } = rounds.at(-1) as (typeof rounds)[number];
  return [
    {
      name: `Rescreen ${SUBJECTS.toLocaleString('en')} subjects after ${CHANGES} changed entries, from the claim to the finished job (median of ${ROUNDS}; ${affected} concerned, ${rescreened} screened again)`,
      ours: `${(ms / 1000).toFixed(2)} s`,
      other: `full rescreening, matching alone: ${(compared.ms / 1000).toFixed(1)} s`,
      ratio: compared.ms / ms,
      goal: '≤ 1.5 s',
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
      ours: PUBLISHED.length > 0 ? `${(importMs / 1000).toFixed(2)} s; ${(swapMs / 1000).toFixed(2)} s` : 'not there',
      other: '–',
      ratio: null,
      goal: '≤ 4 s',
    },
  ];

  /** As the API would have stored them, with the lists as they are. */
  async function storeScreenings(pinned: PinnedLists): Promise<void> {
    for (let from = 0; from < subjects.length; from += 2_000) {
      const keys: object[] = [];
      const rows = subjects.slice(from, from + 2_000).map((subject) => {
        const { facts, outcome } = full(pinned, subject);
        const [id, { key, wrapped }] = [uuidv7(), keyring.newSubject()];
        keys.push({ tenant_id: tenant.id, id: key.id, ref: subject.ref, wrapped_key: hex(wrapped) });
        const sealed = sealScreening({ keyring, key }, id, { facts, dismissed: [], result: outcomeText(outcome) });
        return {
          id, tenant_id: tenant.id, validation_id: validation.id, validation_code: validation.code, validation_version: validation.version,
          rules_hash: `\\x${validation.rulesHash.toString('hex')}`, subject_ref: subject.ref, subject_type: 'natural', trigger: 'api', request_id: null,
          decision: outcome.decision, score: outcome.score, list_hits: outcome.list_hits, facts: {}, dismissed: [], names_not_compared: [], result: '',
          subject_key_id: key.id, sealed_payload: hex(sealed.sealed_payload), sealed_facts: hex(sealed.sealed_facts), sealed_result: hex(sealed.sealed_result),
          monitored_payload: hex(sealed.monitored_payload),
          list_versions: outcome.list_versions, matcher_version: MATCHER_VERSION, evaluator_version: EVALUATOR_VERSION, case_id: null, credits_debited: 8,
          created_at: new Date(),
        }; // prettier-ignore
      });
      const columns = Object.keys(rows[0] as object).join(', ');
      await store.query(
        `insert into compliance.screening (${columns}) select ${columns} from jsonb_populate_recordset(null::compliance.screening, $1)`,
        [JSON.stringify(rows)],
      );
      await store.query(
        `insert into compliance.subject_key (tenant_id, id, ref, wrapped_key)
         select tenant_id, id, ref, wrapped_key from jsonb_populate_recordset(null::compliance.subject_key, $1)`,
        [JSON.stringify(keys)],
      );
    }
    await store.query('vacuum analyze compliance.monitored_subject');
    await store.query('vacuum analyze compliance.subject_key');
  }

  async function timed() {
    const job = (await jobs.claim()) as ClaimedJob;
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
    const latest = await store.query<{ subject_ref: string; result: string } & MaybeSealed>(
      `select m.subject_ref, c.id, c.result, ${SEALED_RESULT}
         from compliance.monitored_subject m join compliance.screening c on c.id = m.screening_id`,
    );
    const opened = latest.map((row) => openScreening(keyring, row));
    const stored = new Map(opened.map(({ subject_ref, result }) => [subject_ref, matchesText(JSON.parse(result) as ScreeningOutcome)])); // prettier-ignore
    return { ms: took, different: subjects.filter(({ ref }, nth) => stored.get(ref) !== fullTexts[nth]).length };
  }
}
