import { IsOptional, IsString, IsUrl, Matches, MinLength, ValidateIf } from 'class-validator';
import { Env } from './env.ts';
import { HttpsInProduction } from './https-in-production.ts';
import { NotInProduction } from './not-in-production.ts';
import type { ProcessConfig } from './process-config.ts';
import { HTTP_ADDRESS } from './url-rules.ts';

export interface TextMessagesConfig {
  smsOriginationIdentity?: string;
  smsRegion?: string;
  smsConfigurationSet?: string;
  smsEndpoint?: string;
  whatsappUrl: string;
  whatsappPhoneNumberId?: string;
  whatsappAccessToken?: string;
  whatsappTemplate?: string;
  whatsappLanguageEs: string;
  whatsappLanguageEn: string;
}

const sendsWhatsApp = ({ whatsappPhoneNumberId, whatsappAccessToken, whatsappTemplate }: Partial<TextMessagesConfig>) =>
  [whatsappPhoneNumberId, whatsappAccessToken, whatsappTemplate].some((one) => one !== undefined);

/** Adds the senders of codes to phones: AWS End User Messaging (SMS) and the WhatsApp Cloud API. Both are optional. */
export function withTextMessages<Config extends ProcessConfig>(
  Base: new () => Config,
): new () => Config & TextMessagesConfig {
  class WithTextMessages extends (Base as new () => ProcessConfig) implements TextMessagesConfig {
    @Env('SMS_ORIGINATION_IDENTITY', {
      description:
        'Sender of text messages at AWS End User Messaging: a phone number, sender id, pool, or its ARN. Left out: no codes by text message (otp_sms)',
    })
    @IsOptional()
    @IsString()
    @MinLength(1)
    smsOriginationIdentity?: string;

    @Env('SMS_REGION', { description: 'Region of that sender; left out: AWS_REGION' })
    @IsOptional()
    @Matches(/^[a-z0-9-]+$/)
    smsRegion?: string;

    @Env('SMS_CONFIGURATION_SET', { description: 'Configuration set of AWS End User Messaging, for delivery reports' })
    @IsOptional()
    @IsString()
    smsConfigurationSet?: string;

    @Env('SMS_ENDPOINT', {
      description: 'A development server for text messages; refused in production. Left out: AWS',
    })
    @ValidateIf((config: WithTextMessages) => config.smsEndpoint !== undefined)
    @IsUrl(HTTP_ADDRESS)
    @NotInProduction()
    smsEndpoint?: string;

    @Env('WHATSAPP_URL', {
      description: 'The Graph API of Meta, with its version',
      default: 'https://graph.facebook.com/v23.0',
    })
    @IsUrl(HTTP_ADDRESS)
    @HttpsInProduction()
    whatsappUrl: string;

    @Env('WHATSAPP_PHONE_NUMBER_ID', {
      description: 'Sender at the WhatsApp Cloud API, as its id. Left out: no codes by WhatsApp (otp_whatsapp)',
    })
    @ValidateIf(sendsWhatsApp)
    @Matches(/^\d{1,32}$/, {
      message: 'must be the id of the number, in digits; it is needed with WHATSAPP_ACCESS_TOKEN',
    })
    whatsappPhoneNumberId?: string;

    @Env('WHATSAPP_ACCESS_TOKEN', { description: 'Access token of a system user for that sender', secret: true })
    @ValidateIf(sendsWhatsApp)
    @IsString({ message: 'must be set; it is needed with WHATSAPP_PHONE_NUMBER_ID' })
    @MinLength(1)
    whatsappAccessToken?: string;

    @Env('WHATSAPP_TEMPLATE', {
      description: 'Name of its approved template: category authentication, with a copy-code button, in both languages',
    })
    @ValidateIf(sendsWhatsApp)
    @Matches(/^[a-z0-9_]{1,512}$/, { message: 'must name the template; it is needed with WHATSAPP_PHONE_NUMBER_ID' })
    whatsappTemplate?: string;

    @Env('WHATSAPP_LANGUAGE_ES', { description: 'Language code of the template in Spanish', default: 'es' })
    @IsString()
    whatsappLanguageEs: string;

    @Env('WHATSAPP_LANGUAGE_EN', { description: 'Language code of the template in English', default: 'en' })
    @IsString()
    whatsappLanguageEn: string;
  }
  return WithTextMessages as unknown as new () => Config & TextMessagesConfig;
}
