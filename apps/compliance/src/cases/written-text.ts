import { applyDecorators } from '@nestjs/common';
import { buildMessage, IsString, Length, ValidateBy } from 'class-validator';

/** The longest comment or reason, in characters. */
const MAX_TEXT = 4000;

/** A text that somebody wrote: not blank, at most `max` characters. */
export function IsWrittenText(max: number = MAX_TEXT): PropertyDecorator {
  const notBlank = ValidateBy({
    name: 'blank',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || value === '' || value.trim() !== '',
      defaultMessage: buildMessage((prefix) => `${prefix}$property must not be blank`),
    },
  });
  return applyDecorators(IsString(), Length(1, max), notBlank);
}
