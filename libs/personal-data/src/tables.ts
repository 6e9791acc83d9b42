import { PersonalDataMode } from './personal-data-mode.entity.ts';
import { SubjectKeyRow } from './subject-key.entity.ts';
import { TenantKeyRow } from './tenant-key.entity.ts';

/** The tables of personalDataSchema. */
export const PERSONAL_DATA_TABLES = [TenantKeyRow, SubjectKeyRow, PersonalDataMode];
