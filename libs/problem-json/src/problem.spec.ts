import { PROBLEMS } from '@constancia/contracts';
import { describe, expect, it } from 'vitest';
import * as problems from './index.ts';
import {
  BadRequest,
  InsufficientCredits,
  MethodNotAllowed,
  NotFound,
  ValidationError,
  problemDocument,
} from './index.ts';

const CONTEXT = { baseUrl: 'https://api.example.test', instance: '/v1/things', requestId: 'abcdefgh' };

describe('a problem document', () => {
  it('says type, title, status, detail, instance and request_id', () => {
    expect(problemDocument(new NotFound(), CONTEXT)).toEqual({
      type: 'https://api.example.test/problems/not-found',
      title: 'No such resource',
      status: 404,
      detail: 'No such resource.',
      instance: '/v1/things',
      request_id: 'abcdefgh',
    });
  });

  it('names the first hundred of ten thousand faults', () => {
    const errors = Array.from({ length: 10_000 }, (_, i) => ({
      pointer: `/k${i}`,
      code: 'unknown_member',
      detail: 'Out.',
    }));
    const document = problemDocument(new ValidationError(errors), CONTEXT);
    expect(document.errors).toEqual(errors.slice(0, 100));
    expect(document.detail).toContain('(9999 more; the first 100 are in errors)');
  });

  it('carries members, which cannot replace its own', () => {
    const problem = new InsufficientCredits('Short of 12.', { available: 28, status: 200, request_id: 'forged' });
    expect(problemDocument(problem, CONTEXT)).toMatchObject({ status: 402, available: 28, request_id: 'abcdefgh' });
  });

  it('lists every field error', () => {
    const errors = [
      { pointer: '/signers/0/email', code: 'wrong_format', detail: 'Must be an email.' },
      { pointer: '/code', code: 'required', detail: 'Add this member.' },
    ];
    const document = problemDocument(new ValidationError(errors), CONTEXT);
    expect(document).toMatchObject({ status: 400, errors });
    expect(document.detail).toBe('The request is not valid. /signers/0/email: Must be an email. (1 more in errors)');
  });

  it('stays within its bounds, whatever stood in the request', () => {
    const pointer = `/${'n'.repeat(100_000)}`;
    const errors = Array.from({ length: 150 }, () => ({ pointer, code: 'unknown_member', detail: '😀'.repeat(2_000) }));
    const document = problemDocument(new ValidationError(errors), CONTEXT) as {
      detail: string;
      errors: { pointer: string; code: string; detail: string }[];
    };
    expect(document.detail).toHaveLength(2_000);
    expect(document.errors).toHaveLength(100);
    expect(document.errors[0]?.pointer).toBe(`/${'n'.repeat(998)}…`);
    expect(document.errors[0]?.detail).toHaveLength(2_000);
    expect(JSON.stringify(document)).not.toMatch(/\\ud[89a-f]/);
  });

  it('has a class for every slug, with the status of the catalogue', () => {
    const made = Object.values(problems)
      .filter((cls) => typeof cls === 'function' && cls.prototype instanceof problems.Problem)
      .map((cls) => {
        if (cls === ValidationError) return new ValidationError([]);
        if (cls === MethodNotAllowed) return new MethodNotAllowed(['GET']);
        return new (cls as typeof BadRequest)('Something.');
      });
    expect([...new Set(made.map(({ slug }) => slug))].sort()).toEqual(Object.keys(PROBLEMS).sort());
    for (const { slug, status } of made) expect(status).toBe(PROBLEMS[slug].status);
  });

  it('sends the headers that its meaning asks for', () => {
    expect(new MethodNotAllowed(['GET', 'PUT']).headers).toEqual({ Allow: 'GET, PUT' });
    expect(new problems.DatabaseUnavailable().headers).toHaveProperty('Retry-After');
    expect(new problems.DatabaseTimeout().headers).toHaveProperty('Retry-After');
    expect(new problems.DependencyUnavailable('KMS is unavailable.').headers).toHaveProperty('Retry-After');
    expect(new problems.Conflict('Still running.').headers).toEqual({ 'Retry-After': '1' });
    expect(new problems.InvalidApiKey().headers).toHaveProperty('WWW-Authenticate');
  });
});
