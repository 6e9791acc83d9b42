export { PersonalData, type PersonalDataOptions } from './personal-data.ts';
export { PersonalDataModule } from './personal-data.module.ts';
export { personalDataSchema, sealFromNowOn } from './schema.ts';
export { type RowSealing, SealingSweep, type SealingSweepOptions, type SealRows } from './sealing-sweep.ts';
export { SubjectKey } from './subject-key.ts';
export { sealingSweepSchema, sweptTable } from './sweep-schema.ts';
export { type NewSubjectKey, TenantKeyring, type TenantKeyMaterial } from './tenant-keyring.ts';
