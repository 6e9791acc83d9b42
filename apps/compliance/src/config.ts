import { HttpConfig } from '@constancia/http';

/** What the compliance process is configured with. */
export class ComplianceConfig extends HttpConfig {}
