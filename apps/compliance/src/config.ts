import { withDataKeys } from '@constancia/config';
import { ListConfig } from './lists/list-config.ts';

/** What the compliance process is configured with. */
export class ComplianceConfig extends withDataKeys(ListConfig) {}
