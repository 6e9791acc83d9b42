import type { MailConfig } from '@constancia/config';
import { type DynamicModule, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { Mailer } from './mailer.ts';

/** Provides what sends mails. */
@Module({})
export class MailModule implements OnApplicationShutdown {
  constructor(private readonly mailer: Mailer) {}

  static forRoot(config: Type<MailConfig>): DynamicModule {
    const provider = {
      provide: Mailer,
      inject: [config],
      useFactory: ({ smtpUrl, mailFrom }: MailConfig) => new Mailer({ smtpUrl, from: mailFrom }),
    };
    return { module: MailModule, global: true, providers: [provider], exports: [provider] };
  }

  onApplicationShutdown(): Promise<void> {
    return this.mailer.close();
  }
}
