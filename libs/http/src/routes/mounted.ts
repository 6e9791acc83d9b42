import type { Type } from '@nestjs/common';

/**
 * The controller `Routes` once more, in another place: the same handlers, injected alike. `place` says below which path, on which host and
 * with which credential; what it marks replaces what the handlers of `Routes` are marked with.
 */
export function mounted(Routes: Type, ...place: ClassDecorator[]): Type {
  class Mounted extends Routes {}
  const prototype = Routes.prototype as object;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (name === 'constructor' || typeof handler !== 'function') continue;
    // A function of its own: decorators write on the handler, and those of the first place must not see it.
    const value = function (this: unknown, ...given: unknown[]): unknown {
      return (handler as (...given: unknown[]) => unknown).apply(this, given);
    };
    Object.defineProperty(value, 'name', { value: name }); // by which the API description finds its parameters
    for (const key of Reflect.getOwnMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, handler), value);
    }
    Object.defineProperty(Mounted.prototype, name, { value, writable: true, configurable: true });
  }
  for (const decorate of place) decorate(Mounted);
  return Mounted;
}
