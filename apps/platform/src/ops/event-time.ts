import { beginOf, IsInstant } from '@constancia/http';
import { ValidateBy } from 'class-validator';

/** A date or a date-time with its offset that is not before 1970, when event ids begin. */
export function IsEventTime(): PropertyDecorator {
  const since1970 = ValidateBy({
    name: 'isEventTime',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && (beginOf(value)?.getTime() ?? -1) >= 0,
      defaultMessage: () =>
        'must be a date (2026-11-21) or a date-time with its offset (2026-11-21T10:00:00Z), since 1970',
    },
  });
  return (target, property) => {
    IsInstant()(target, property);
    since1970(target, property);
  };
}
