import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { FieldErrorView, ProblemView } from '@constancia/http';
import type { RouteMarks } from '../../libs/http/src/route-facts.ts';
import type { DocumentedApp } from './apps.ts';
import { completed, type ApiDocument } from './complete.ts';
import { stateLimits } from './request-limits.ts';
import { marksByOperation, parameterClasses } from './routes.ts';

/** The OpenAPI 3.1 document of an app, read from its routes. Makes no provider and opens no connection. */
export async function documentOf(app: DocumentedApp): Promise<ApiDocument> {
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
    operationIdFactory: (controller, method) => operationId(controller, method),
  });
  const marks: Map<string, RouteMarks> = marksByOperation(nest);
  return completed(raw as unknown as ApiDocument, app, marks);
}

/** CreateSignature.handle → createSignature. */
function operationId(controller: string, method: string): string {
  const name = controller.charAt(0).toLowerCase() + controller.slice(1);
  return method === 'handle' ? name : name + method.charAt(0).toUpperCase() + method.slice(1);
}
