import { Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { DataKeys } from '@constancia/kms';
import type { Database } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { objectStore, type StorageConfig } from '@constancia/storage';
import type { Logger } from '@constancia/telemetry';
import { IdentityDatabase } from './identity-database.ts';
import { ConsentEvidence } from './privacy/consent-evidence.ts';
import { Erasure } from './privacy/erasure.ts';
import { ModuleErasures } from './privacy/module-erasures.ts';
import { RetentionSweep } from './privacy/retention-sweep.ts';
import { DocumentDigest } from './subjects/document-digest.ts';
import { SubjectKeys } from './subjects/subject-keys.ts';
import { SubjectRecords } from './subjects/subject-records.ts';
import { Subjects } from './subjects/subjects.ts';
import { AssetRemoval } from './uploads/asset-removal.ts';
import { Assets } from './uploads/assets.ts';
import { DirectIntake } from './uploads/direct-intake.ts';
import { PictureCleaner } from './uploads/picture-cleaner.ts';
import { PictureIntake } from './uploads/picture-intake.ts';
import { Presigns } from './uploads/presigns.ts';
import { UploadAddresses } from './uploads/upload-address.ts';
import { Uploads } from './uploads/uploads.ts';

export interface SubjectNeeds {
  config: StorageConfig & {
    baseUrl: string;
    secretsKey: string;
    derivedKeys: boolean;
    awsRegion: string;
    kmsEndpoint?: string;
    dataKeyId: string;
    pictureProcesses: number;
    pictureMemoryMb: number;
    pictureDeadlineMs: number;
  };
  /** Of the identity schema. */
  database: Database;
  queues: Queues;
  logger: Logger;
}

/** What subjects, their pictures and their erasure are made of; made once, in app.ts. Flows take subjects, assets and consents. */
export function subjectPartsOf({ config, database, queues, logger }: SubjectNeeds) {
  const dataKeys = new DataKeys(config.dataKeyId, { region: config.awsRegion, endpoint: config.kmsEndpoint });
  const objects = objectStore(config);
  const keys = new SubjectKeys(database, dataKeys);
  const subjects = new Subjects(keys, new DocumentDigest(config.secretsKey));
  const cleaner = new PictureCleaner({
    processes: config.pictureProcesses,
    memoryMb: config.pictureMemoryMb,
    deadlineMs: config.pictureDeadlineMs,
  });
  const intake = new PictureIntake(cleaner, keys, objects);
  const direct = new DirectIntake(intake, objects);
  const addresses = new UploadAddresses(config.baseUrl.replace(/\/+$/, ''), config.secretsKey);
  const removal = new AssetRemoval(database, objects, logger);
  const secrets = SecretBox.ofSecret(config);
  const idempotency = new Idempotency('identity', secrets, (tx, tenantId, subjectId) => {
    if (tx === null) throw new Error('an answer about a subject is read in a transaction');
    return keys.of(tx, tenantId, subjectId);
  });
  const modules = new ModuleErasures({ database, queues, secrets, logger });
  const erasure = new Erasure({ database, subjects, keys, removal, idempotency, modules });
  const retention = new RetentionSweep({ database, objects, direct, removal, erasure, logger });
  return {
    identity: new IdentityDatabase(database),
    subjects,
    keys,
    objects,
    records: new SubjectRecords(database, subjects),
    assets: new Assets(direct),
    consents: new ConsentEvidence(keys),
    idempotency,
    addresses,
    presigns: new Presigns(database, addresses, objects),
    uploads: new Uploads(database, intake),
    erasure,
    retention,
    opened: [objects, { close: () => Promise.resolve(dataKeys.close()) }, cleaner],
    background: [keys, retention, modules],
  };
}

export type SubjectParts = ReturnType<typeof subjectPartsOf>;
