import type { MailConfig } from '@constancia/config';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown, type Type } from '@nestjs/common';
import { Mailer } from './mailer.ts';

/** Provides what sends mails: null where the configuration names no mail server. */
@Module({})
export class MailModule implements OnApplicationShutdown {
  constructor(@Inject(Mailer) private readonly mailer: Mailer | null) {}

  static forRoot(config: Type<Partial<MailConfig>>): DynamicModule {
    const provider = {
      provide: Mailer,
      inject: [config],
      useFactory: ({ smtpUrl, mailFrom }: Partial<MailConfig>) =>
        smtpUrl === undefined ? null : new Mailer({ smtpUrl, from: mailFrom as string }),
    };
    return { module: MailModule, global: true, providers: [provider], exports: [provider] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.mailer?.close();
  }
}
