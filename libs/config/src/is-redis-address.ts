import { redisAddressProblem } from '@constancia/redis/address';
import { ValidateBy } from 'class-validator';

/** One server of Redis, or nodes of a cluster. The message says what is wrong, never a part of the address. */
export function IsRedisAddress(): PropertyDecorator {
  return ValidateBy({
    name: 'isRedisAddress',
    validator: {
      validate: (value: unknown) => redisAddressProblem(String(value)) === undefined,
      defaultMessage: (args) => redisAddressProblem(String(args?.value)) ?? '',
    },
  });
}
