import { IndependentWork } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { openCase, type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import { nameWords } from '../case-records/name-words.ts';

const EVERY_MS = 60_000;
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface CaseAddress {
  tenant_id: string;
  id: string;
}

/**
 * Makes cases findable by name that the release before wrote, or that were written in the clear. There are none any more after an upgrade:
 * then a run is one look into an empty index.
 */
@Injectable()
export class NameWordsSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    logger: Logger,
  ) {
    super({ name: 'name-words-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    const work = new IndependentWork();
    for (let after: string | undefined = FIRST_ID; after !== undefined && !signal?.aborted;) {
      const rows: CaseAddress[] = await this.database.query<CaseAddress>(
        `select tenant_id, id from compliance.cases_without_words($1, $2)`,
        [after, BATCH],
      );
      for (const tenantId of new Set(rows.map(({ tenant_id }) => tenant_id))) {
        const ids = rows.filter(({ tenant_id }) => tenant_id === tenantId).map(({ id }) => id);
        const each = async (): Promise<void> => {
          for (const id of ids) await work.attempt(() => this.addWords(tenantId, [id]), { tenant_id: tenantId });
        };
        await this.addWords(tenantId, ids).catch(each); // one that cannot be opened keeps none of the others
      }
      after = rows.at(-1)?.id;
    }
    work.throwFirstFailure();
  }

  private async addWords(tenantId: string, ids: readonly string[]): Promise<void> {
    const keyring = await this.personal.tenant(tenantId);
    await this.database.tenant(tenantId, (tx) => addWordsTo(tx, keyring, tenantId, ids));
  }
}

/** The rows are locked: a screening that replaces the subject comes before or after. Those that another process has, it does. */
async function addWordsTo(tx: Tx, keyring: TenantKeyring, tenantId: string, ids: readonly string[]): Promise<void> {
  const rows = await tx.query<StoredCase>(
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c
      where c.tenant_id = $1 and c.id = any ($2) and c.name_words is null for update of c skip locked`,
    [tenantId, ids],
  );
  const found = rows.map((row) => ({
    id: row.id,
    words: nameWords(keyring, openCase(keyring, row).subject.full_name),
  }));
  await tx.query(
    `update compliance.review_case c set name_words = f.words
       from jsonb_to_recordset($2) as f(id uuid, words text[]) where c.tenant_id = $1 and c.id = f.id`,
    [tenantId, JSON.stringify(found)],
  );
}
