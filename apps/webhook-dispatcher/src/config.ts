import {
  Env,
  HTTP_ADDRESS,
  HttpsInProduction,
  SMTP_ADDRESS,
  StoresConfig,
  withSecretsKey,
  withWebhookTargets,
} from '@constancia/config';
import { IsEmail, IsInt, IsOptional, IsUrl, Max, Min, ValidateIf } from 'class-validator';

/** What the webhook dispatcher is configured with. */
export class DispatcherConfig extends withWebhookTargets(withSecretsKey(StoresConfig)) {
  // What a class says of a member takes the place of all that the inherited one says.
  @IsInt()
  @Min(4)
  override databasePoolSize: number;

  @Env('SMTP_URL', {
    description: 'Mail server; needed in production. Left out: owners of disabled endpoints are notified by event only',
    secret: true,
    holds: 'smtp',
  })
  @ValidateIf((config: DispatcherConfig) => config.smtpUrl !== undefined || config.environment === 'production')
  @IsUrl(SMTP_ADDRESS, { message: 'must be an smtp:// or smtps:// address; it is needed in production' })
  smtpUrl?: string;

  @Env('MAIL_FROM', { description: 'Sender of mails: an address, or a name with an address in angle brackets' })
  @ValidateIf((config: DispatcherConfig) => config.smtpUrl !== undefined)
  @IsEmail({ allow_display_name: true, require_tld: false })
  mailFrom?: string;

  @Env('CONSOLE_URL', {
    description:
      'Public address of the console, to which the mails to owners lead; left out: they name only the call of the API',
  })
  @IsOptional()
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  consoleUrl?: string;

  @Env('WEBHOOK_RETENTION_DAYS', { description: 'How long events, deliveries and attempts are kept', default: '30' })
  @IsInt()
  @Min(7)
  @Max(3_650)
  retentionDays: number;

  @Env('WEBHOOK_REPLAY_RATE', {
    description: 'Deliveries per second that a replay run queues again',
    default: '100',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  replayRate: number;
}
