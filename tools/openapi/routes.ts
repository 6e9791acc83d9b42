import { type INestApplication, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { DECORATORS } from '@nestjs/swagger';
import { marksOf, type RouteMarks } from '@constancia/http';

/** The marks of every route of an app, by `get /v1/signatures/{id}`. */
export function marksByOperation(app: INestApplication): Map<string, RouteMarks> {
  return new Map(
    handlers(app).map(({ controller, handler, method }) => {
      const path = join(...[controller, handler].map((one) => first(Reflect.getMetadata(PATH_METADATA, one))));
      return [`${RequestMethod[method].toLowerCase()} ${path}`, marksOf(handler)];
    }),
  );
}

/** The classes of what the handlers of an app take: among them those of bodies and queries. */
export function parameterClasses(app: INestApplication): Set<Type> {
  const types = handlers(app).flatMap(({ controller, name, handler }): unknown[] => [
    ...(Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) as unknown[]),
    ...((Reflect.getMetadata(DECORATORS.API_PARAMETERS, handler) ?? []) as { type?: unknown }[]).map(
      ({ type }) => type,
    ),
  ]);
  return new Set(types.filter((type): type is Type => typeof type === 'function'));
}

interface Handler {
  controller: Type;
  name: string;
  handler: object;
  method: RequestMethod;
}

function handlers(app: INestApplication): Handler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers
    .map(({ metatype }) => metatype)
    .filter((metatype): metatype is Type => typeof metatype === 'function')
    .flatMap(handlersOf);
}

function handlersOf(controller: Type): Handler[] {
  const members = Object.entries(Object.getOwnPropertyDescriptors(controller.prototype as object));
  return members.flatMap(([name, { value: handler }]) => {
    if (typeof handler !== 'function') return [];
    const method = Reflect.getMetadata(METHOD_METADATA, handler as object) as RequestMethod | undefined;
    return method === undefined ? [] : [{ controller, name, handler: handler as object, method }];
  });
}

function join(...parts: string[]): string {
  const path = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${path.join('/')}`.replace(/:([A-Za-z_][A-Za-z0-9_]*)/g, '{$1}');
}

function first(value: unknown): string {
  return String(Array.isArray(value) ? value[0] : (value ?? ''));
}
