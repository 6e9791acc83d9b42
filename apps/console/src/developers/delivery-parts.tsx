import { attemptErrorText } from '@constancia/operations';
import type { components } from '@constancia/sdk/generated/platform';
import { State } from '@constancia/web';
import { Fragment } from 'react';
import { useDeveloperText } from './text/language.ts';

type DeliveryRow = components['schemas']['DeliveryView'];

const KINDS = { pending: 'wait', delivering: 'wait', delivered: 'good', failed: 'bad' } as const;

/** The type of an event, which a narrow column breaks between its words. */
export function EventType({ of: type }: { of: string }) {
  return type.split(/(?<=[._])/).map((part, nth) => (
    <Fragment key={nth}>
      {nth > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** The status of a delivery, and what it waits for. One that has failed already and will be tried again looks so. */
export function DeliveryStatus({ of: { status, waiting_for, attempt_count, last_error } }: { of: DeliveryRow }) {
  const { words } = useDeveloperText();
  if (status === 'pending' && waiting_for === null && attempt_count > 0 && last_error !== null)
    return <State kind="bad">{words.deliveries.retrying}</State>;
  return (
    <span>
      <State kind={KINDS[status]}>{words.deliveries.statuses[status]}</State>{' '}
      {waiting_for === 'endpoint' && words.deliveries.waiting}
    </span>
  );
}

/** How its last attempt ended, as part of a sentence; nothing before the first one. */
export function useLastResult(): (delivery: DeliveryRow) => string | null {
  const { words, locale } = useDeveloperText();
  return ({ status, last_error, last_http_status }) => {
    if (last_error !== null) return attemptErrorText(last_error, last_http_status, locale);
    return status === 'delivered' ? words.deliveries.accepted : null;
  };
}
