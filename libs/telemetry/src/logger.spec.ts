import { describe, expect, it } from 'vitest';
import { NestLogger, createLogger, requestLines } from './index.ts';

/** Things that must never be in a log, as they would come along by accident. */
const CANARIES = {
  apiKey: 'test_4fT9aZq0WmX7yB2kLr8nC5vEo1iUd3sGhJ6pQwKzMxNbVcA1b2C3d',
  liveKey: 'live_9ZyXwVuTsRqPoNmLkJiHgFeDcBa0123456789aBcDeFgHiJkLm',
  webhookSecret: 'whsec_dGhpcyBpcyAzMiByYW5kb20gYnl0ZXMgb2Ygc2VjcmV0IQ==',
  recoveryToken: 'rec_0123456789abcdefghijABCDEFGHIJ0123456789abc',
  ownerProofToken: 'own_0123456789abcdefghijABCDEFGHIJ0123456789abc',
  mail: 'maria.quintero+prueba@notaria-quinta.example.co',
  document: '1.032.456.789',
  pdf: '%PDF-1.7 (Contrato de prestación de servicios)',
  password: 'hunter2hunter2',
};

function recorded() {
  const lines: string[] = [];
  const logger = createLogger({
    app: 'spec',
    level: 'trace',
    stream: { write: (line: string) => void lines.push(line) },
  });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

function expectNoCanary(lines: string[]): void {
  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(0);
  for (const canary of Object.values(CANARIES)) expect(text).not.toContain(canary);
}

describe('the logger', () => {
  it('writes one JSON line with level, time, app, the given members and the message', () => {
    const { logger, last } = recorded();
    logger.info({ request_id: 'abcdefgh', status: 200, seal_ms: 12 }, 'sealed');
    expect(last()).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      app: 'spec',
      request_id: 'abcdefgh',
      status: 200,
      seal_ms: 12,
      msg: 'sealed',
    });
  });

  it('names members that are not on the list instead of writing them, however deep they are', () => {
    const { logger, lines, last } = recorded();
    logger.info(
      { body: { owner: { ...CANARIES } }, headers: [CANARIES.apiKey], full_name: CANARIES.document },
      'careless',
    );
    expect(last().dropped).toEqual(['body', 'headers', 'full_name']);
    expectNoCanary(lines);
  });

  it('drops objects and bytes even under a listed name', () => {
    const { logger, lines, last } = recorded();
    logger.warn({ reason: { ...CANARIES }, size: Buffer.from(CANARIES.pdf) }, 'careless');
    expect(last().dropped).toEqual(['reason', 'size']);
    expectNoCanary(lines);
  });

  it('hides keys, tokens, secrets and addresses in messages and in listed texts', () => {
    const { logger, lines } = recorded();
    const { document: _, password: __, ...textual } = CANARIES;
    for (const canary of Object.values(textual)) {
      logger.info(`refused ${canary}`);
      logger.info({ reason: canary }, 'refused %s', canary);
      logger.info('refused %s %o', canary, { canary });
    }
    logger.info(`connecting to postgres://platform_app:${CANARIES.password}@127.0.0.1/x`);
    expectNoCanary(lines);
  });

  it.each(['josé@banco.co', 'ana@bañco.co', "o'neil@x.co", 'a!b#c@x.co'])('hides every part of %s', (address) => {
    const { logger, last } = recorded();
    logger.warn(`550 5.1.1 <${address}>: unknown; to=${address}, {"email":"${address}"} mailto:${address}.`);
    const [local, domain] = address.split('@') as [string, string];
    expect(last().msg).toContain('550 5.1.1 <[hidden]>: unknown');
    for (const part of [local, domain, domain.split('.')[0] as string]) expect(last().msg).not.toContain(part);
  });

  it('cuts a long text through no secret', () => {
    const { logger, last } = recorded();
    for (const canary of [CANARIES.mail, CANARIES.apiKey, CANARIES.ownerProofToken]) {
      for (let before = 1_940; before <= 2_000; before++) {
        logger.info(`${'x '.repeat(before / 2)}${canary}${' y'.repeat(400)}`);
        expect(last().msg).not.toMatch(/maria|(test|own)_[0-9A-Za-z]/);
      }
    }
  });

  it('writes errors with type, message and stack, and none of what hangs on them', () => {
    const { logger, lines, last } = recorded();
    const cause = Object.assign(new Error(`no mailbox ${CANARIES.mail}`), { code: '23505', detail: CANARIES.document });
    const error = Object.assign(new TypeError(`bad key ${CANARIES.apiKey}`, { cause }), { request: { ...CANARIES } });
    logger.error({ err: error }, 'failed');
    expect(last().err).toMatchObject({ type: 'TypeError', message: 'bad key test_[hidden]', cause: { code: '23505' } });
    logger.error(error);
    logger.error(error, 'failed on %s', CANARIES.mail);
    logger.info({ err: { ...CANARIES } }, 'an object in place of an error');
    expectNoCanary(lines);
  });

  it('filters what child loggers are bound to', () => {
    const { logger, lines, last } = recorded();
    const child = logger.child({ queue: 'sealing', secret: CANARIES.webhookSecret });
    child.info('bound');
    expect(last()).toMatchObject({ app: 'spec', queue: 'sealing', msg: 'bound' });
    const grandchild = child.child({ job: 'j1', token: CANARIES.recoveryToken });
    grandchild.setBindings({ owner: CANARIES.mail });
    grandchild.info({ body: CANARIES.pdf }, 'bound deeper');
    expect(last()).toMatchObject({ queue: 'sealing', job: 'j1', msg: 'bound deeper' });
    expectNoCanary(lines);
  });

  it('takes what Nest says, errors with their stack', () => {
    const { logger, lines, last } = recorded();
    const nest = new NestLogger(logger);
    nest.log('Nest application successfully started', 'NestApplication');
    expect(last()).toMatchObject({ level: 'debug', context: 'NestApplication' });
    nest.error(new Error(CANARIES.mail), 'ExceptionsHandler');
    nest.warn({ ...CANARIES });
    expectNoCanary(lines);
  });
});

describe('request lines', () => {
  const LINE = {
    method: 'GET',
    route: '/v1/things/{id}',
    status: 200,
    durationMs: 1.26,
    requestId: 'abcdefgh',
    bytes: 60,
  };

  it('have the form of every other line', () => {
    const { logger, last } = recorded();
    requestLines(logger, 'spec')({ ...LINE, tenantId: '01900000-0000-7000-8000-000000000001' });
    expect(last()).toEqual({
      level: 'info',
      time: expect.any(String),
      app: 'spec',
      method: 'GET',
      route: '/v1/things/{id}',
      status: 200,
      duration_ms: 1.3,
      request_id: 'abcdefgh',
      tenant_id: '01900000-0000-7000-8000-000000000001',
      bytes: 60,
      msg: 'request',
    });
  });

  it('hide a key that was sent as request id', () => {
    const { logger, lines } = recorded();
    requestLines(logger, 'spec')({ ...LINE, requestId: CANARIES.apiKey, tenantId: undefined });
    expectNoCanary(lines);
  });

  it('are silent above level info', () => {
    const lines: string[] = [];
    const logger = createLogger({
      app: 'spec',
      level: 'warn',
      stream: { write: (line: string) => void lines.push(line) },
    });
    requestLines(logger, 'spec')({ ...LINE, tenantId: undefined });
    expect(lines).toEqual([]);
  });
});
