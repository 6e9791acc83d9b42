import type { INestApplication } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import { marksOf, type RouteMarks } from '../../libs/http/src/route-facts.ts';

/** The marks of every route of an app, by `get /v1/signatures/{id}`. */
export function marksByOperation(app: INestApplication): Map<string, RouteMarks> {
  const marks = new Map<string, RouteMarks>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function') collect(metatype, marks);
    }
  }
  return marks;
}

function collect(controller: { prototype: object } & object, marks: Map<string, RouteMarks>): void {
  const prefix = first(Reflect.getMetadata(PATH_METADATA, controller));
  for (const name of Object.getOwnPropertyNames(controller.prototype)) {
    const handler: unknown = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value;
    if (typeof handler !== 'function') continue;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) continue;
    const path = join(prefix, first(Reflect.getMetadata(PATH_METADATA, handler)));
    marks.set(`${RequestMethod[method].toLowerCase()} ${path}`, marksOf(handler));
  }
}

function join(...parts: string[]): string {
  const path = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return `/${path.join('/')}`.replace(/:([A-Za-z_][A-Za-z0-9_]*)/g, '{$1}');
}

function first(value: unknown): string {
  return String(Array.isArray(value) ? value[0] : (value ?? ''));
}
