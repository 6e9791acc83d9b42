export { createComplianceClient, createPlatformClient, createSigningClient } from './clients.ts';
export type { ClientOptions, ComplianceClient, PlatformClient, SigningClient } from './clients.ts';
export { exportConfiguration, hostsIn, importConfiguration, joinConfigurations } from './configuration.ts';
export type { ConfigurationClients } from './configuration.ts';
export { retryingFetch } from './retries.ts';
export type { Fetch, RetryOptions } from './retries.ts';
export { verifySealedDocument } from './sealed-document.ts';
export type { SealedDocument } from './sealed-document.ts';
export {
  MalformedDelivery,
  MissingSignature,
  SignatureMismatch,
  TimestampOutOfTolerance,
  verifyServiceSignature,
  verifyStandardWebhook,
  WebhookRejected,
} from './webhooks.ts';
export type { DeliveryHeaders } from './webhooks.ts';
export type { WebhookEvent, WebhookEventOf, WebhookEventType } from './events.ts';
export type { components as ComplianceComponents, paths as CompliancePaths } from './generated/compliance.ts';
export type { components as PlatformComponents, paths as PlatformPaths } from './generated/platform.ts';
export type { components as SigningComponents, paths as SigningPaths } from './generated/signing.ts';
