import type { ModuleSchema } from '@constancia/persistence';
import { sealFromNowOn } from '@constancia/personal-data';
import { ChargedWork1763700000100 } from './1763700000100-charged-work.ts';
import { Settings1763700000110 } from './1763700000110-settings.ts';
import { CaseContext1763700000310 } from './1763700000310-case-context.ts';
import { Cases1763700000300 } from './1763700000300-cases.ts';
import { Lists1763700000200 } from './1763700000200-lists.ts';
import { Monitoring1763700000210 } from './1763700000210-monitoring.ts';
import { RescreenTraces1763700000960 } from './1763700000960-traces.ts';
import { PersonalDataKeys1764000000200 } from './1764000000200-personal-data-keys.ts';
import { SealedRecords1764000000210 } from './1764000000210-sealed-records.ts';
import { SealedLists1764000000930 } from './1764000000930-sealed-lists.ts';
import { SuspendedMonitoring1764000003900 } from './1764000003900-suspended-monitoring.ts';
import { SecondPersons1764000002000 } from './1764000002000-second-persons.ts';
import { ValidationsAndScreenings1763700000120 } from './1763700000120-validations-and-screenings.ts';
import { OperatorsCases1763700000940 } from './1763700000940-operators-cases.ts';
import { ComplianceWriteRules1763900000500 } from './1763900000500-write-rules.ts';
import { ComplianceTenantRetention1764000003950 } from './1764000003950-tenant-retention.ts';
import { ComplianceClosedTenants1764000004500 } from './1764000004500-closed-tenants.ts';
import { MonitoredList1764000005221 } from './1764000005221-monitored-list.ts';
import { CaseNotifications1764000005450 } from './1764000005450-case-notifications.ts';
import { CaseSearch1764000005220 } from './1764000005220-case-search.ts';
import { CaseIndexes1764000005222 } from './1764000005222-case-indexes.ts';
import { CaseAttachments1764000005410 } from './1764000005410-case-attachments.ts';
import { ScreeningBatches1764000005470 } from './1764000005470-screening-batches.ts';
import { BatchesOfClosedTenants1764000005500 } from './1764000005500-batches-of-closed-tenants.ts';
import { ListChecks1764000006100 } from './1764000006100-list-checks.ts';
import { ScreeningPeriods1764000006110 } from './1764000006110-screening-periods.ts';
import { BatchMetadata1764000006120 } from './1764000006120-batch-metadata.ts';
import { SubjectKeysTogether1764000007310 } from './1764000007310-subject-keys-together.ts';
import { ComplianceFlatReads1764000007510 } from './1764000007510-flat-reads.ts';
import { LateScreenings1764000008000 } from './1764000008000-late-screenings.ts';
import { CaseStatsDays1764000009700 } from './1764000009700-case-stats-days.ts';
import { ArchivedRowsCompared1764000009720 } from './1764000009720-archived-rows-compared.ts';
import { TimelineArchive1764000009810 } from './1764000009810-timeline-archive.ts';
import { ComplianceTenantLists1764000009100 } from './1764000009100-tenant-lists.ts';
import { DiscardedRules1764000009200 } from './1764000009200-discarded-drafts.ts';
import { ComplianceSettledNotifications1764000009210 } from './1764000009210-settled-notifications.ts';
import { ComplianceArchiveKeys1764000009400 } from './1764000009400-archive-keys.ts';
import { ArchivedScreenings1764000009410 } from './1764000009410-archived-screenings.ts';
import { ComplianceWorkAsArrays1764000009520 } from './1764000009520-work-as-arrays.ts';

/** The schema that validations, screenings, lists and cases live in. */
export const COMPLIANCE: ModuleSchema = {
  schema: 'compliance',
  migrations: [
    ChargedWork1763700000100,
    Settings1763700000110,
    ValidationsAndScreenings1763700000120,
    Lists1763700000200,
    Monitoring1763700000210,
    Cases1763700000300,
    CaseContext1763700000310,
    OperatorsCases1763700000940,
    RescreenTraces1763700000960,
    ComplianceWriteRules1763900000500,
    PersonalDataKeys1764000000200,
    SealedRecords1764000000210,
    SealedLists1764000000930,
    SecondPersons1764000002000,
    SuspendedMonitoring1764000003900,
    ComplianceTenantRetention1764000003950,
    ComplianceClosedTenants1764000004500,
    CaseSearch1764000005220,
    MonitoredList1764000005221,
    CaseIndexes1764000005222,
    CaseAttachments1764000005410,
    CaseNotifications1764000005450,
    ScreeningBatches1764000005470,
    BatchesOfClosedTenants1764000005500,
    ListChecks1764000006100,
    ScreeningPeriods1764000006110,
    BatchMetadata1764000006120,
    SubjectKeysTogether1764000007310,
    ComplianceFlatReads1764000007510,
    LateScreenings1764000008000,
    ComplianceTenantLists1764000009100,
    DiscardedRules1764000009200,
    ComplianceSettledNotifications1764000009210,
    ComplianceArchiveKeys1764000009400,
    ArchivedScreenings1764000009410,
    ComplianceWorkAsArrays1764000009520,
    CaseStatsDays1764000009700,
    ArchivedRowsCompared1764000009720,
    TimelineArchive1764000009810,
  ],
  finish: sealFromNowOn('compliance'),
};
