import { sleep } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import type { Pool } from 'undici';
import { ListContents } from '../../apps/compliance/src/lists/list-contents.ts';
import { ListImports } from '../../apps/compliance/src/lists/list-imports.ts';
import { ListJobRunner } from '../../apps/compliance/src/lists/list-job-runner.ts';
import type { BenchDeployment } from './bench-deployment.ts';
import { PUBLISHED } from './lists-corpus.ts';
import { syntheticPeople } from './synthetic-people.ts';

/** That the app begins with: four of names, and the FATF's. */
const SANDBOX_LISTS = 5;
const LISTED = ['Aurelio Ficticio Ejemplar', 'Ernesto Ficticio Ejemplo', 'Al-Zawahiri Ayman', 'Nicolas Maduro Moros'];

/** Imports the real lists, and waits until the app screens with them; answers how many entries they have. */
export async function importPublished({ stack, call }: BenchDeployment, http: Pool): Promise<number> {
  const { env } = stack.app('compliance');
  const database = await Database.connect({ url: env.DATABASE_URL as string, applicationName: 'bench', poolSize: 2 });
  const imports = new ListImports(database, new ListContents(database, null), new ListJobRunner());
  const served = async () => {
    const { body } = await call<{ data: { version: string; entries: number }[] }>(http, 'GET', '/v1/lists');
    return body.data;
  };
  while ((await served()).length < SANDBOX_LISTS) await sleep(200);
  const imported: string[] = [];
  for (const { list, path } of PUBLISHED)
    imported.push(
      (await imports.run({ list, tenantId: null, operator: 'bench', files: [{ path }], force: true })).version,
    );
  await database.close();
  for (;;) {
    const lists = await served();
    if (imported.every((each) => lists.some(({ version }) => version === each)))
      return lists.reduce((sum, { entries }) => sum + entries, 0);
    await sleep(200);
  }
}

const people = [...syntheticPeople(20_000, 11)];

/** A request of a screening. One in twenty is of a listed name, and opens a case. */
export function subjectBody(nth: number, reference = 'customer') {
  const { fullName, birthDate } = people[nth % people.length] as (typeof people)[number];
  const listed = nth % 20 === 0;
  return {
    subject_ref: `${reference}-${nth}`,
    subject_type: 'natural',
    payload: {
      full_name: listed ? LISTED[(nth / 20) % LISTED.length] : fullName,
      ...(!listed && { birth_date: birthDate }),
      document_type: 'CC',
      document_number: String(10_000_000 + (nth % 80_000_000)),
      country_code: 'CO',
      kyc_status: 'approved',
      amount: 1_500_000,
      currency: 'COP',
    },
  };
}
