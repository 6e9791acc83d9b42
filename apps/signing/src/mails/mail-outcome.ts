import { MailUnavailable } from '@constancia/mail';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { KeysUnavailableError } from '@constancia/personal-data';
import { DependencyUnavailable } from '@constancia/problem-json';
import { TextMessageUnavailable } from '@constancia/text-messages';

/** Whether the mail server, the service of text messages, the key service, the store of documents or the database may be available again soon. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof MailUnavailable || error instanceof TextMessageUnavailable) return error.retryable;
  return [KeysUnavailableError, DatabaseUnavailableError, DependencyUnavailable].some(
    (cause) => error instanceof cause,
  );
}

/** Why a mail or message was not taken, as it is shown to the tenant: the code of the server or service, or that it is none. */
export function reasonOf(error: unknown): string {
  if (error instanceof KeysUnavailableError || error instanceof DatabaseUnavailableError) return error.code;
  if (error instanceof DependencyUnavailable) return 'storage_unavailable';
  if (error instanceof TextMessageUnavailable) return error.reason;
  return error instanceof MailUnavailable ? error.message.replace(/^mail cannot be sent: /, '') : 'not_sendable';
}
