import type { KmsConfig, TextMessagesConfig } from '@constancia/config';
import { awsCredentials } from '@constancia/kms';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { SmsSender } from './sms-sender.ts';
import { TextMessages } from './text-messages.ts';
import { WhatsAppSender } from './whatsapp-sender.ts';

type Config = TextMessagesConfig & KmsConfig;

/** Provides what sends codes to phones, over the channels that are configured. */
@Module({})
export class TextMessagesModule {
  static forRoot(config: Type<Config>): DynamicModule {
    const provider = {
      provide: TextMessages,
      inject: [config],
      useFactory: (settings: Config) =>
        new TextMessages({ sms: smsSender(settings), whatsapp: whatsAppSender(settings) }),
    };
    return { module: TextMessagesModule, global: true, providers: [provider], exports: [provider] };
  }
}

function smsSender(config: Config): SmsSender | undefined {
  const { smsOriginationIdentity: originationIdentity, smsConfigurationSet: configurationSet } = config;
  if (originationIdentity === undefined) return undefined;
  const region = config.smsRegion ?? config.awsRegion;
  const credentials = awsCredentials(region);
  return new SmsSender({ region, endpoint: config.smsEndpoint, originationIdentity, configurationSet, credentials });
}

function whatsAppSender(config: Config): WhatsAppSender | undefined {
  const { whatsappPhoneNumberId, whatsappAccessToken, whatsappTemplate } = config;
  if (!whatsappPhoneNumberId || !whatsappAccessToken || !whatsappTemplate) return undefined;
  return new WhatsAppSender({
    url: config.whatsappUrl,
    phoneNumberId: whatsappPhoneNumberId,
    accessToken: whatsappAccessToken,
    template: whatsappTemplate,
    languages: { 'es-CO': config.whatsappLanguageEs, en: config.whatsappLanguageEn },
  });
}
