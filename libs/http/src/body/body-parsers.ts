import { BadRequest, UnsupportedMediaType } from '@constancia/problem-json';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { bodyTooLarge, collectBody, type BodyBounds } from './body-collector.ts';
import type { BodyMemory } from './body-memory.ts';
import { FORM_BYTES, FORM_TYPE, parseFormBody } from './form-body.ts';
import { hostOf } from '../routes/hosts.ts';
import { JSON_LIMITS, parseJsonBody } from './json-body.ts';
import { STREAMED_BODY } from '../ops/ops-listener.ts';
import { RAW_CONTENT, type RawContentType } from '../routes/route-facts.ts';
import { type Request, tenantIdOf } from '../request/request-state.ts';

/** Of a body that nobody reads. */
const DROPPED_BYTES = 65_536;

type Done = (error: Error | null, body?: unknown) => void;

/** Bodies are JSON, or raw bytes on the routes that say so (RawBody); everything else is 415. Other parsers are removed. */
export function registerBodyParsers(app: FastifyInstance, memory: BodyMemory): void {
  const bounds = (request: Request, payload: IncomingMessage, limitBytes: number): BodyBounds => {
    const caller = tenantIdOf(request.constancia) ?? request.constancia.clientIp;
    return {
      limitBytes,
      fits: (bytes) => memory.fits(payload, caller, bytes),
      hold: (bytes) => memory.hold(payload, caller, bytes),
    };
  };

  const drop = (request: Request, payload: IncomingMessage, done: Done): void =>
    collectBody(payload, bounds(request, payload, DROPPED_BYTES), (error) => done(readable(error)));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request: Request, payload, done: Done) => {
    if (request.is404 || isLeftOut(request)) return done(null);
    if (request.constancia.route.ignoresBody) return drop(request, payload, done);
    if (request.constancia.route.raw !== undefined || request.constancia.route.form) return done(wrongType(request));
    const charset = /charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
    if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
      return done(new UnsupportedMediaType('Send application/json in UTF-8.'));
    }
    const limitBytes = request.constancia.route.jsonLimitBytes ?? JSON_LIMITS.bytes;
    collectBody(payload, bounds(request, payload, limitBytes), (error, bytes) => {
      if (error !== null || bytes === undefined) return done(readable(error));
      let body: unknown;
      try {
        body = parseJsonBody(bytes);
      } catch (problem) {
        return done(problem as Error);
      }
      done(null, request.constancia.route.ops ? withoutEmpty(body) : body);
    });
  });
  for (const contentType of Object.keys(RAW_CONTENT) as RawContentType[]) {
    app.addContentTypeParser(contentType, (request: Request, payload, done: Done) => {
      if (request.is404 || isLeftOut(request)) return done(null);
      if (request.constancia.route.ignoresBody) return drop(request, payload, done);
      const { raw } = request.constancia.route;
      if (!raw?.contentTypes.includes(contentType)) return done(wrongType(request));
      if (raw.streamed) return passOn(payload, raw.limitBytes, done);
      collectBody(payload, bounds(request, payload, raw.limitBytes), (error, bytes) => done(readable(error), bytes));
    });
  }
  app.addContentTypeParser(FORM_TYPE, (request: Request, payload, done: Done) => {
    if (request.is404 || isLeftOut(request)) return done(null);
    if (request.constancia.route.ignoresBody) return drop(request, payload, done);
    if (!request.constancia.route.form) return done(wrongType(request));
    collectBody(payload, bounds(request, payload, FORM_BYTES), (error, bytes) => {
      if (error !== null || bytes === undefined) return done(readable(error));
      try {
        done(null, parseFormBody(bytes));
      } catch (problem) {
        done(problem as Error);
      }
    });
  });
  app.addContentTypeParser(STREAMED_BODY, (request: Request, payload, done: Done) => {
    if (hostOf(request.raw) === 'ops') done(null, payload);
    else done(wrongType(request));
  });
  app.addContentTypeParser('*', (request: Request, payload, done: Done) => {
    if (request.constancia.route.ignoresBody) return drop(request, payload, done);
    done(request.is404 || isLeftOut(request) ? null : wrongType(request));
  });
}

/** The handler reads the body itself. */
function passOn(payload: IncomingMessage, limitBytes: number, done: Done): void {
  if (Number(payload.headers['content-length'] ?? 0) > limitBytes) {
    payload.resume();
    return done(bodyTooLarge(limitBytes));
  }
  payload.waitingForContinue?.writeContinue();
  done(null, payload);
}

/** In a form that an operator fills in, an empty member is one that was left out, as in a query. */
function withoutEmpty(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== ''));
}

/** Many clients name a content type, and a length of 0, although they send no body: what is not there has no wrong type. */
function isLeftOut({ headers, constancia }: Request): boolean {
  const { raw } = constancia.route;
  if (raw !== undefined && !raw.optional) return false;
  const length = headers['content-length'];
  return length === '0' || (length === undefined && headers['transfer-encoding'] === undefined);
}

/** 415 that says what the route takes. */
export function wrongType(request: Request): UnsupportedMediaType {
  const { raw, form } = request.constancia.route;
  const expected = raw?.contentTypes.join(', ') ?? (form ? FORM_TYPE : 'application/json');
  return new UnsupportedMediaType(`Send the body as ${expected}.`, {}, { Accept: expected });
}

/** What the socket says when a client goes away in the middle of its body. */
function readable(error: Error | null): Error | null {
  if (error === null || 'slug' in error) return error;
  return new BadRequest('The body ended before its announced length.');
}
