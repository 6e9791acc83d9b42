import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { attachmentsOf, type OpenAttachment } from '../case-attachments/stored-attachments.ts';
import type { CaseFile } from '../cases/case-files.ts';
import type { ScreeningRow } from '../screenings/sealed-screening.ts';
import { screeningOf } from '../screenings/screenings.ts';
import type { DatedLists, ListAges } from '../lists/dated-lists.ts';
import { type OwnSettings, settingsOf } from '../settings/compliance-settings.ts';
import type { RuleRow } from '../validations/rule.entity.ts';

/** A rule that fired, as the validation had it. */
export type FiredRule = Pick<RuleRow, 'code' | 'severity' | 'score' | 'description'>;

/** A case with what its decision rests on. */
export interface CaseDossier {
  file: CaseFile;
  /** The last one that was attached to it; undefined when it is not kept. */
  screening: ScreeningRow | undefined;
  rules: FiredRule[];
  attachments: OpenAttachment[];
  settings: OwnSettings;
  /** The lists of the last screening. */
  dated: DatedLists;
}

/** What belongs to a case, as the transaction sees it. */
export async function readDossier(
  tx: Tx,
  keyring: TenantKeyring,
  file: CaseFile,
  ages: ListAges,
): Promise<CaseDossier> {
  const { found } = file;
  return {
    file,
    screening: await screeningOf(tx, keyring, found.tenant_id, found.last_screening_id),
    rules: await firedRules(tx, found),
    attachments: await attachmentsOf(tx, keyring, found.tenant_id, [found.id]),
    settings: await settingsOf(tx, found.tenant_id),
    dated: await ages.named(tx, found.list_versions),
  };
}

/** The rules of all screenings of a case, each as it was in the latest version of the validation that screened the subject and had it. */
function firedRules(tx: Tx, found: ReviewCase): Promise<FiredRule[]> {
  return tx.query<FiredRule>(
    `select distinct on (r.code collate "C") r.code, r.severity, r.score, r.description
       from compliance.validation v join compliance.rule r on r.tenant_id = v.tenant_id and r.validation_id = v.id
      where v.tenant_id = $1 and v.code = $2 and v.version <= $3 and v.status <> 'draft' and r.code = any ($4)
      order by r.code collate "C", v.version desc`,
    [found.tenant_id, found.validation_code, found.validation_version, found.rules_fired],
  );
}
