export { SmsSender } from './sms-sender.ts';
export type { SmsOptions } from './sms-sender.ts';
export { TEXT_CHANNELS, TextMessages, TextMessageUnavailable } from './text-messages.ts';
export type { CodeMessage, CodeSender, TextChannel } from './text-messages.ts';
export { TextMessagesModule } from './text-messages.module.ts';
export { WhatsAppSender } from './whatsapp-sender.ts';
export type { WhatsAppOptions } from './whatsapp-sender.ts';
