export { PersonalData, type PersonalDataOptions } from './personal-data.ts';
export { personalDataSchema, sealFromNowOn } from './schema.ts';
export { SubjectKey } from './subject-key.ts';
export { type NewSubjectKey, TenantKeyring, type TenantKeyMaterial } from './tenant-keyring.ts';
