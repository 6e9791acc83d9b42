export { eventRecord, eventTypesOf } from './event-record.ts';
export type { EventRecord } from './event-record.ts';
export { emitEvent } from './emit-event.ts';
export { endpointIdOf, hintDeliveries, hintEndpoint } from './endpoint-id.ts';
export { signDelivery } from './signature.ts';
export { addressKind, NON_PUBLIC_IPV4, NON_PUBLIC_IPV6 } from './public-address.ts';
export {
  checkTarget,
  checkTargetAddresses,
  dnsResolve,
  guardedLookup,
  PUBLIC_TARGETS,
  TargetRefused,
} from './target-guard.ts';
export type { Resolve, TargetPolicy } from './target-guard.ts';
