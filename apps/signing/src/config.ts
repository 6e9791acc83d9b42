import {
  Env,
  HTTP_ADDRESS,
  HttpsInProduction,
  withArchiveKey,
  withDataKeys,
  withMail,
  withObjectStore,
  withTextMessages,
} from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { IsInt, IsUrl, Matches, Max, Min } from 'class-validator';

export interface MailLimits {
  /** Invitations and reminders from one tenant to one address in 24 hours. */
  perAddress: number;
  /** Invitations, reminders and codes of one tenant in 24 hours; null: unlimited. */
  perTenant: number | null;
  /** Between two new links that are mailed to one signer. */
  betweenLinksMs: number;
}

/** What the signing process is configured with. */
export class SigningConfig extends withTextMessages(
  withMail(withObjectStore(withArchiveKey(withDataKeys(HttpConfig)))),
) {
  @Env('SIGN_URL', {
    description: 'Public address of the host that signers open; the links in their mails begin with it',
    default: 'http://localhost:3003',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  signUrl: string;

  @Env('SIGN_PORT', { description: 'Port of that host', default: '3003' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  signPort: number;

  @Env('SEALED_LINK_DAYS', {
    description:
      'For how many days signers open a sealed document by their link; afterwards the page offers a new link by mail',
    default: '30',
  })
  @IsInt()
  @Min(1)
  @Max(3650)
  sealedLinkDays: number;

  @Env('MAILS_PER_ADDRESS', {
    description: 'Invitations and reminders that one tenant may mail to one address in 24 hours',
    default: '10',
  })
  @IsInt()
  @Min(1)
  mailsPerAddress: number;

  @Env('MAILS_PER_SANDBOX_TENANT', {
    description: 'Invitations, reminders and codes that are mailed for one tenant of a sandbox in 24 hours',
    default: '500',
  })
  @IsInt()
  @Min(1)
  mailsPerSandboxTenant: number;

  @Env('MINUTES_BETWEEN_LINK_MAILS', {
    description: 'Between two new links (rotate-token) that are mailed to one signer',
    default: '10',
  })
  @IsInt()
  @Min(0)
  @Max(1_440)
  minutesBetweenLinkMails: number;

  @Env('TEXTS_PER_NUMBER', {
    description: 'Codes that are sent to one number in 24 hours, whichever tenants and envelopes ask for them',
    default: '10',
  })
  @IsInt()
  @Min(1)
  textsPerNumber: number;

  @Env('TEXTS_PER_TENANT', {
    description: 'Codes that are sent to phones for one tenant in 24 hours',
    default: '1000',
  })
  @IsInt()
  @Min(1)
  textsPerTenant: number;

  @Env('PHONE_COUNTRY_CODES', {
    description: 'Country codes of the numbers that codes are sent to, such as 57,51,593. Empty: all countries',
    default: '',
  })
  @Matches(/^[1-9]\d{0,2}$/, { each: true, message: 'must be country codes in digits' })
  phoneCountryCodes: string[];

  get mailLimits(): MailLimits {
    return {
      perAddress: this.mailsPerAddress,
      perTenant: this.environment === 'sandbox' ? this.mailsPerSandboxTenant : null,
      betweenLinksMs: this.minutesBetweenLinkMails * 60_000,
    };
  }

  @Env('TRAIL_ARCHIVE_AFTER_DAYS', {
    description:
      'Days after the end of an envelope from which its trail may be archived into a file (npm run ops -- archive run --history envelope-trails --reason …); nothing archives it by itself',
    default: '3653',
  })
  @IsInt()
  @Min(400)
  @Max(36_525)
  trailArchiveAfterDays: number;

  @Env('INSPECTION_PROCESSES', { description: 'Processes that read uploaded PDFs', default: '1' })
  @IsInt()
  @Min(1)
  @Max(64)
  inspectionProcesses: number;

  @Env('INSPECTION_MEMORY_MB', { description: 'Memory that each of them may use', default: '512' })
  @IsInt()
  @Min(128)
  inspectionMemoryMb: number;

  @Env('INSPECTION_DEADLINE_MS', { description: 'Time that one upload may take to be read', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(20_000)
  inspectionDeadlineMs: number;
}
