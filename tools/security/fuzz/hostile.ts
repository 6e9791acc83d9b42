import { encodeCursor } from '@constancia/kernel';
import fc, { type Arbitrary } from 'fast-check';

/** Values that no schema here asks for, or that code trips over. */
export const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -1, -0, 0.1, 1e400, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE],
  ...['', ' ', '0', '-1', 'null', 'true', 'NaN', '1e999', '\u0000', 'a\u0000b', '\ud800', '\uffff', '\u202e', '\ufeff'],
  ...['x'.repeat(10_000), '😀'.repeat(3_000), 'e\u0301'.repeat(2_000), '\n', '\r\nX-Injected: 1', '%00', '%s%n'],
  ...["' or 1=1 --", "'; select pg_sleep(9)--", '$1', '${7*7}', '{{7*7}}', '<script>alert(1)</script>', '=1+1'],
  ...['../../etc/passwd', 'file:///etc/passwd', 'asset://../x', '__proto__', 'constructor', '9'.repeat(400)],
  ...['2026-02-30', '0000-00-00', '9999-12-31T23:59:59.999Z', '+275760-09-13', '-000001-01-01', '10000-01-01'],
  ...['1900-02-29', '2026-11-21T25:61:00.000Z', '2026-01-01T00:00:00.000+99:99', 'infinity', '294277-01-01'],
  ...['00000000-0000-0000-0000-000000000000', 'tpl_00000000000000000000000000', 'sig_7zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ...['tpl_8zzzzzzzzzzzzzzzzzzzzzzzzz', 'xyz_01kamx6q7peqh8h51n8zq8y5hc', 'TPL_01KAMX6Q7PEQH8H51N8ZQ8Y5HC'],
  ...[
    'http://169.254.169.254/',
    'https://[::1]/',
    'javascript:alert(1)',
    'a@b',
    `${'a'.repeat(64)}@${'b.'.repeat(90)}co`,
  ],
  ...[[], {}, [[]], [null], { a: {} }, [{}], { length: 1e9 }, { toString: 1 }, { then: 1 }, { $ref: '#' }],
];

/** Members that only the service may write, and names that JavaScript gives a meaning. */
export const INJECTED: readonly (readonly [name: string, value: unknown])[] = [
  ['tenant_id', '01900000-0000-7000-8000-000000000001'],
  ['id', 'tpl_01kamx6q7peqh8h51n8zq8y5hc'],
  ['status', 'published'],
  ['version', 99],
  ['credits_debited', 0],
  ['credits_refunded', 1_000_000],
  ['created_at', '1999-01-01T00:00:00.000Z'],
  ['role', 'admin'],
  ['environment', 'production'],
  ['__proto__', { admin: true }],
  ['constructor', { prototype: { admin: true } }],
  ['toJSON', 1],
  ['', 1],
  ['x'.repeat(5_000), 1],
];

/** One change of a JSON body. `at` chooses the node, counted over the whole body. */
export type BodyMutation =
  | { kind: 'replace' | 'wrap'; at: number; value: unknown }
  | { kind: 'remove'; at: number }
  | { kind: 'inject'; at: number; member: readonly [name: string, value: unknown] }
  | { kind: 'repeat' | 'keys' | 'deepen'; at: number; times: number };

const at = fc.nat(60);
export const bodyMutation: Arbitrary<BodyMutation> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('replace' as const), at, value: fc.constantFrom(...HOSTILE) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wrap' as const), at, value: fc.constant(null) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), at }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('inject' as const), at, member: fc.constantFrom(...INJECTED) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('repeat' as const),
      at,
      times: fc.constantFrom(2, 21, 101, 201, 1_001, 10_001),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('keys' as const, 'deepen' as const),
      at,
      times: fc.constantFrom(30, 201, 10_000),
    }),
  },
);

/** Bodies that are sent as they are, whatever is asked for. */
export const RAW_BODIES: readonly string[] = [
  ...['', ' ', '{', '[', 'null', '0', '"x"', '[]', '{}', '{"a":1,"a":2}', '{"a":1}}', '\ufeff{}', '{"a":NaN}', '1e999'],
  ...['{"__proto__":{"admin":true}}', '{"a":"\\u0000"}', '{"a":"\\ud800"}', "{'a':1}", '{"a":01}', '// x\n{}'],
  ...['['.repeat(50_000), `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, `{"n":${'9'.repeat(100_000)}}`],
  ...['a=1&b=2', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', '%PDF-1.7'],
];

export const CONTENT_TYPES: readonly (string | undefined)[] = [
  ...[undefined, '', 'text/plain', 'application/json', 'application/json; charset=utf-16', 'APPLICATION/JSON'],
  ...[
    'application/pdf',
    'image/png',
    'image/jpeg',
    'text/csv',
    'multipart/form-data; boundary=x',
    'nonsense',
    ';;',
    '*/*',
  ],
  ...['application/x-www-form-urlencoded', 'application/json, application/pdf', `a/${'b'.repeat(3_000)}`],
];

/** Cursors as lists make them, with keys that no list gives: numbers beyond what their columns hold, ids and times out of range. */
export const FAR_CURSOR_KEYS: readonly (string | number)[][] = [
  ...[2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 63, -1, 1e308, 0.5].map((number) => [number]),
  ['ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['9'.repeat(40)],
  ['2026-01-01T00:00:00Z', 2 ** 40],
  [2 ** 40, 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['+275760-09-13T00:00:00.001Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
];

const FAR_CURSORS = FAR_CURSOR_KEYS.map((keys) => `cursor=${encodeCursor(keys)}`);

/** Query strings appended to whatever the request has. */
export const QUERIES: readonly string[] = [
  ...['limit=0', 'limit=101', 'limit=-1', 'limit=1e3', 'limit=', 'limit=9999999999999999999', 'limit=1&limit=2'],
  ...[
    'limit[]=1',
    'limit[a]=1',
    'cursor=',
    'cursor=x',
    'cursor=%00',
    'cursor=eyJhIjoxfQ',
    'cursor=W10',
    'cursor=bnVsbA',
  ],
  ...FAR_CURSORS,
  ...[
    'cursor=1&cursor=2',
    'unknown=1',
    '__proto__=1',
    '__proto__[admin]=1',
    'constructor=1',
    'tenant_id=1',
    'a',
    '=',
    '&&',
  ],
  ...['status=%00', 'status=', 'status=open&status=closed', 'from=x', 'from=2026-02-30', 'to=+275760-09-13', 'from=-1'],
  ...[
    'from=0000-01-01',
    'to=9999-12-31',
    'q=%',
    'q=%zz',
    'q=%ff%fe',
    'q=%ed%a0%80',
    `q=${'x'.repeat(9_000)}`,
    'code=%0a',
  ],
  ...[
    'from=2026-12-31&to=2026-01-01',
    'event_id=x',
    'subject_id=x',
    'template_id=%27',
    'code=%F0%9F%98%80',
    'name=%00',
  ],
];

/** Path segments in place of an id. */
export const SEGMENTS: readonly string[] = [
  ...[
    'x',
    '%00',
    '%',
    '%zz',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%ff',
    '%ed%a0%80',
    'null',
    '__proto__',
    'constructor',
  ],
  ...[
    "'%20or%201=1--",
    '%F0%9F%98%80',
    '0',
    '-1',
    'x'.repeat(511),
    'x'.repeat(513),
    'x'.repeat(5_000),
    ';',
    '*',
    '{id}',
  ],
  ...[
    'tpl_8zzzzzzzzzzzzzzzzzzzzzzzzz',
    'tpl_01KAMX6Q7PEQH8H51N8ZQ8Y5HC',
    '00000000-0000-0000-0000-000000000000',
    'a%2Fb',
  ],
];

/** Headers that callers send by mistake or on purpose; a list is the header sent as often. */
export const HEADERS: readonly Record<string, string | string[]>[] = [
  ...[{ 'Idempotency-Key': 'x' }, { 'Idempotency-Key': '' }, { 'Idempotency-Key': ['a', 'b'] }],
  { 'Idempotency-Key': '11111111-1111-4111-8111-111111111111' },
  { 'Idempotency-Key': '"11111111-1111-4111-8111-111111111111"' },
  ...[{ 'X-Request-Id': 'short' }, { 'X-Request-Id': 'y'.repeat(64) }, { 'X-Request-Id': ['aaaaaaaa', 'bbbbbbbb'] }],
  ...[
    { 'X-Forwarded-For': '1.2.3.4, 5.6.7.8' },
    { 'X-Forwarded-For': 'nonsense' },
    { 'X-Forwarded-For': '::ffff:1.2.3.4' },
  ],
  ...[{ 'X-Actor': 'ana' }, { 'X-Actor': '' }, { 'X-Actor': 'x'.repeat(129) }, { 'X-Actor': 'Jos\u00e9' }],
  ...[
    { 'X-Actor': ['a', 'b'] },
    { 'If-Match': '*' },
    { 'If-Match': '"1"' },
    { 'If-Match': 'W/"99"' },
    { 'If-Match': 'x' },
  ],
  ...[{ 'If-Match': '"99999999999999999999"' }, { 'If-None-Match': '*' }, { 'If-None-Match': '"x", W/"y"' }],
  ...[
    { 'X-Placeholders': '{' },
    { 'X-Placeholders': '[{"key":"a","page":1e99,"x":0,"y":0}]' },
    { 'X-Placeholders': 'null' },
  ],
  ...[
    { 'X-Placeholders': '[[]]' },
    { 'X-Placeholders': ['[]', '[]'] },
    { 'X-Placeholders': `[${'0,'.repeat(3_000)}0]` },
  ],
  { 'X-Placeholders': `[${'{"key":"a","page":1,"x":1,"y":1},'.repeat(220)}null]` },
  { 'X-Placeholders': '[{"key":"__proto__","page":1,"x":0,"y":0,"size":12}]' },
  ...[
    { Accept: 'text/html' },
    { Accept: 'nonsense' },
    { 'Accept-Language': 'x'.repeat(2_000) },
    { 'Accept-Language': ';q=' },
  ],
  ...[
    { 'Content-Encoding': 'gzip' },
    { 'Content-Encoding': 'nonsense' },
    { Range: 'bytes=0-1' },
    { Range: 'bytes=9-1' },
  ],
  ...[{ 'X-HTTP-Method-Override': 'DELETE' }, { Origin: 'https://evil.example' }, { Host: 'evil.example' }],
  ...[{ traceparent: 'nonsense' }, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
  ...[
    { 'X-Filler': 'x'.repeat(30_000) },
    { Authorization: 'Bearer' },
    { Authorization: 'Basic eDp5' },
    { Cookie: 'a=b' },
  ],
  { Authorization: `Bearer ${'x'.repeat(8_000)}` },
  { Authorization: `Bearer rec_${'A'.repeat(43)}` },
];
