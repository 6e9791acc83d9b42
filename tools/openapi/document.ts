import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, getSchemaPath, SwaggerModule } from '@nestjs/swagger';
import { FieldErrorView, ProblemView } from '@constancia/http';
import type { RouteMarks } from '@constancia/http';
import type { DocumentedApp } from './apps.ts';
import { completed, type ApiDocument } from './complete.ts';
import { only } from './reachable.ts';
import { stateLimits } from './request-limits.ts';
import { marksByOperation, parameterClasses } from './routes.ts';

/** The OpenAPI 3.1 document of an app, without its operators' API. */
export async function documentOf(app: DocumentedApp): Promise<ApiDocument> {
  const { raw, marks } = await describedRoutes(app, operationId);
  for (const [path, item] of Object.entries(raw.paths)) {
    for (const method of Object.keys(item)) if (marks.get(`${method} ${path}`)?.ops !== undefined) delete item[method];
    if (Object.keys(item).length === 0) delete raw.paths[path];
  }
  raw.components.schemas = only(raw.components.schemas, raw.paths, KEPT);
  return completed(raw, app, marks);
}

/** Schemas that what is added later refers to. */
const KEPT = [ProblemView, FieldErrorView].map((model) => ({ $ref: getSchemaPath(model) }));

/** Every route of an app as its decorators describe it. Makes no provider and opens no connection. */
export async function describedRoutes(
  app: DocumentedApp,
  operationIdFactory: (controller: string, method: string) => string,
): Promise<{ raw: ApiDocument; marks: Map<string, RouteMarks> }> {
  const nest = await NestFactory.create(app.module, new FastifyAdapter() as never, {
    preview: true,
    logger: ['error'],
    abortOnError: false,
  });
  for (const cls of parameterClasses(nest)) stateLimits(cls);
  const skeleton = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(app.title)
    .setDescription(app.description)
    .setVersion('1')
    .build();
  const raw = SwaggerModule.createDocument(nest, skeleton, {
    autoTagControllers: false,
    extraModels: [ProblemView, FieldErrorView],
    operationIdFactory,
  });
  return { raw: raw as unknown as ApiDocument, marks: marksByOperation(nest) };
}

/** CreateSignature.handle → createSignature. */
function operationId(controller: string, method: string): string {
  const name = controller.charAt(0).toLowerCase() + controller.slice(1);
  return method === 'handle' ? name : name + method.charAt(0).toUpperCase() + method.slice(1);
}
