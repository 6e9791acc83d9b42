import { expect, test } from 'vitest';
import { parseUploadQuery } from './upload-query.ts';

const errors = (query: Record<string, unknown>) =>
  parseUploadQuery(query).errors.map((error) => `${error.pointer} ${error.code}`);

test('the name defaults to the code', () => {
  expect(parseUploadQuery({ code: 'loan' })).toEqual({
    ...{ code: 'loan', name: 'loan', externalRef: null, metadata: {}, errors: [] },
  });
  const own = { external_ref: 'T-1', metadata: '{"área":"crédito"}' };
  expect(parseUploadQuery({ code: 'loan', ...own })).toMatchObject({
    externalRef: 'T-1',
    metadata: { área: 'crédito' },
  });
  expect(parseUploadQuery({ code: 'loan', name: '' }).name).toBe('loan');
  expect(parseUploadQuery({ code: 'a'.repeat(64), name: 'Crédito N.º 1' }).name).toBe('Crédito N.º 1');
});

test.each([
  [{}, ['/query/code required']],
  [{ code: '' }, ['/query/code required']],
  [{ code: 'a'.repeat(65) }, ['/query/code wrong_format']],
  [{ code: 'Loan' }, ['/query/code wrong_format']],
  [{ code: 'a\n' }, ['/query/code wrong_format']],
  [
    { code: 'a', external_ref: 'x'.repeat(201), metadata: '{' },
    ['/query/external_ref wrong_format', '/query/metadata wrong_format'],
  ],
  [{ code: 'a', metadata: '{"n":1}' }, ['/query/metadata wrong_format']],
  [{ code: ['a', 'b'] }, ['/query/code wrong_format']],
  [{ code: 'a', name: ['b', 'c'] }, ['/query/name wrong_format']],
  [{ code: 'a', name: 'x\0y' }, ['/query/name wrong_format']],
  [{ code: 'a', name: 'x'.repeat(201) }, ['/query/name wrong_format']],
  [
    { code: 'Ñ', name: '\u2028', page: 1 },
    ['/query/page unknown_member', '/query/code wrong_format', '/query/name wrong_format'],
  ],
])('%j is refused', (query, expected) => {
  expect(errors(query)).toEqual(expected);
});
