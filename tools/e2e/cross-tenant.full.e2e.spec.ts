import { isUuid, typeId, uuidv7 } from '@constancia/kernel';
import {
  tenantBlindProxy,
  type TenantBlindProxy,
  testMember,
  type TestMember,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kindOf, unknownId } from '../security/fuzz/known-ids.ts';
import { documentedOperations, type Operation, resolverOf, type Schema } from '../security/fuzz/operations.ts';
import { type OwnedResources, ownedResourcesOf } from './owned-resources.fixture.ts';
import { httpOf, inStore, type Integrator, NO_LIMITS, signUp, startDeployment } from './deployment.fixture.ts';

/** Bodies that are needed to get past the shape checks; every other operation is called without one. */
const BODIES: Record<string, unknown> = {
  putWebhookEndpoint: { url: 'http://127.0.0.1:9/' },
  changeWebhookEndpoint: { url: 'http://127.0.0.1:9/' },
  changeTenant: { locale: 'en' },
  requestClosing: { confirm_name: 'x' },
  putRetention: { compliance: { blocked_days: 3_650 } },
  changeApiKey: { name: 'x' },
  changeOidcClient: { name: 'x' },
  assignCase: { assignee: 'somebody' },
  commentOnCase: { body: 'x' },
  attachToCase: Buffer.from('\x89PNG', 'latin1'),
  escalateCase: { reason: 'x' },
  resolveCase: { decision: 'approve', reason: 'x' },
  returnCaseResolution: { reason: 'x' },
  presignUpload: { kind: 'selfie' },
  putFlowSteps: { steps: [{ step_type: 'consent' }] },
  advanceFlowSession: { input: { accepted: true } },
  reviewFlowSession: { decision: 'approve', reason: 'x' },
  uploadBasePdf: Buffer.from('%PDF-1.7'),
  putLogo: Buffer.from('\x89PNG', 'latin1'),
  putCircuitDefinition: { signers: [], fields: [] },
  voidEnvelope: { reason: 'x' },
  giveConsent: { accepted: true, locale: 'en', version: 'x' },
  verifyOtp: { code: '123456' },
  enterAccessCode: { code: '1234' },
  startSignerIdentity: { document_type: 'CC', document_number: '1098765432', country: 'CO' },
  declineToSign: { reason: 'x' },
  putEmbedOrigins: { origins: [] },
  exchangeEmbedToken: { parent_origin: 'https://shop.example' },
  signEnvelope: { signature: { type: 'typed', text: 'x' }, intent: true },
};

/** Queries that are needed for the same. */
const QUERIES: Record<string, string> = { readBlockedData: '?reason=x', readBlockedAttachment: '?reason=x' };

/** Headers that are needed for the same. */
const HEADERS: Record<string, Record<string, string>> = { attachToCase: { 'X-File-Name': 'a.png' } };

/** Without those of persons, which no key opens: wallets have their own specs. */
const OPERATIONS = documentedOperations().filter(({ ofPerson }) => !ofPerson);
const WITH_PARAMETERS = OPERATIONS.filter(({ path }) => path.includes('{'));
/** Their parameter names something that everybody may see, or that no tenant owns. */
const OPEN: Record<string, string> = {
  readApiDocumentationFile: 'a file of the documentation',
  readAboutProblem: 'a kind of problem',
  downloadCertificate: 'the service’s own certificate',
  downloadPublicKey: 'the service’s own key',
  findSealedDocument: 'the digest of a file that the caller has',
  verifyEnvelope: 'the public id that a certificate of completion shows',
  requestApiKeyRecovery: 'answers the same 202 to anyone, about any tenant',
  showStatement: 'a month: every tenant has its own statement of it (statements.int.spec.ts)',
  receivePaymentCallback: 'the payment provider, which signs its callbacks',
  returnPayer: 'answers with the stored address of the tenant, which the payer is meant to reach',
  endOwnSession: 'a key has no sessions; tried with a member token below, and by members.int.spec.ts',
  stopOwnerEmailChange: 'answers a wrong token the same for every tenant, known or not',
  showLogo: 'the digest of a picture that anybody may see',
  renameOwnPasskey: 'a key has no passkeys; tried with a member token below, and by passkeys.int.spec.ts',
  removeOwnPasskey: 'a key has no passkeys; tried with a member token below, and by passkeys.int.spec.ts',
  cancelWalletRecovery: 'the token of a notice to a person; recoveries belong to no tenant',
  showWalletRecovery: 'an id that only who began the recovery has; recoveries belong to no tenant',
  getStatusList: 'a list that names nobody, for anyone who checks a credential',
  issueRecoveryChallenge: 'a sealed address, which only a right code gives',
  sendRecoveryPicture: 'a sealed address, which only a right code gives',
  proveOwnerEmail: 'answers a wrong token the same for every tenant, known or not',
};
/** Their id belongs to a tenant, and the caller shows a key. */
const BY_KEY = WITH_PARAMETERS.filter(({ public: open, operationId }) => !open && OPEN[operationId] === undefined);
/** What stands in their address is the credential itself. */
const BY_ADDRESS = WITH_PARAMETERS.filter(({ path }) =>
  /^\/(v1\/(sign|embed\/sessions)\/\{token|uploads\/\{)/.test(path),
);
/** They give every caller the same answer, so that it reveals nothing about a token: what the status is. */
const SAME_TO_ALL: Record<string, number> = {
  renewLink: 202, // the new link goes to the signer's own address by mail, never to the caller
};
/** Lists that are the same for every tenant, and those that begin with a row of the tenant’s own. */
const NOT_EMPTY: Record<string, string> = {
  listSigningKeys: 'the service’s own keys',
  listRuleTemplates: 'the catalogue',
  listPrices: 'the prices, which are the same for all',
  listStatementKeys: 'the service’s own keys',
  showLists: 'the lists that the service loads',
  showLedger: 'the opening credits',
  listApiKeys: 'the stranger’s own default key',
  listBundles: 'what the service sells',
  listMembers: 'the stranger’s own owner',
};
/** Ids in bodies and queries. `of`: which of the owner's resources is tried. */
const IN_REQUESTS: Record<string, { of: keyof OwnedResources; request?: unknown }> = {
  'createSignature /template_id': { of: 'templateId', request: { subject_ref: 'x', merge_data: {} } },
  'createEnvelope /circuit_id': { of: 'circuitId', request: { signers: [{ role: 'buyer', email: 'a@mail.example' }] } },
  'seedDefaultRules /validation_id': { of: 'draftValidationId', request: { subject_type: 'both' } },
  'dryRunScreening /validation_id': {
    of: 'validationId',
    request: { subject_ref: 'x', subject_type: 'natural', payload: { full_name: 'Ana' } },
  },
  'requestPresentation /discovery_id': { of: 'discoveryId', request: { channel: 'registered_contact' } },
  'platform/createEmbedSession /target_id': {
    of: 'sessionId',
    request: { kind: 'flow', allowed_origins: ['https://shop.example'] },
  },
  'signing/createEmbedSession /target_id': {
    of: 'signerId',
    request: { kind: 'sign', allowed_origins: ['https://shop.example'] },
  },
  'createEnvelopeBatch ?circuit_id': { of: 'circuitId', request: Buffer.from('signers.buyer.email\na@mail.example') },
  'listSignatures ?template_id': { of: 'templateId' },
  'listEnvelopes ?circuit_id': { of: 'circuitId' },
  'listFlowSessions ?subject_id': { of: 'subjectId' },
  'listWebhookDeliveries ?event_id': { of: 'eventId' },
  'listWebhookDeliveries ?endpoint_id': { of: 'endpointId' },
  'startWebhookReplay /endpoint_id': { of: 'endpointId', request: { dry_run: true } },
};

/** Of files, by their first byte. */
const TYPES: Readonly<Record<number, string>> = { 0x89: 'image/png', 0x25: 'application/pdf' };

/** The id of an operation; with its app where several apps have it. */
function nameOf({ app, operationId }: Operation): string {
  const same = OPERATIONS.filter((one) => one.operationId === operationId);
  return same.length > 1 ? `${app}/${operationId}` : operationId;
}

/** Members of a request that name a thing of a tenant, as the documents have them. */
function idsInRequests(): string[] {
  return OPERATIONS.filter((operation) => !operation.public).flatMap((operation) => {
    const inQuery = operation.parameters
      .filter((one) => one.in === 'query' && one.name !== 'cursor')
      .filter(({ name }) => kindOf(name, operation) !== undefined)
      .map(({ name }) => `${nameOf(operation)} ?${name}`);
    const { properties = {} } = resolverOf(operation.app)(operation.bodies.get('application/json') ?? ({} as Schema));
    const inBody = Object.keys(properties).filter((name) => kindOf(name, operation) !== undefined);
    return [...inQuery, ...inBody.map((name) => `${nameOf(operation)} /${name}`)];
  });
}

const byName = (name: string) => OPERATIONS.find((one) => nameOf(one) === name) as Operation;
const LISTS = OPERATIONS.filter(({ method, path, operationId, public: open }) => {
  return (
    !open &&
    method === 'GET' &&
    !path.includes('{') &&
    /^(list|show(Lists|Ledger)$)/.test(operationId) &&
    !['listOwnSessions', 'listOwnPasskeys', 'listOwnNotifications'].includes(operationId)
  );
});

it('every operation with an id is tried with another tenant’s, or is open to everybody for a reason', () => {
  const named = [...BY_KEY, ...BY_ADDRESS].map(({ operationId }) => operationId);
  const rest = WITH_PARAMETERS.map(({ operationId }) => operationId).filter((id) => !named.includes(id));
  expect([...new Set(rest)].sort()).toEqual(Object.keys(OPEN).sort());
  expect(named.length).toBeGreaterThan(70);
  expect(idsInRequests().sort()).toEqual(Object.keys(IN_REQUESTS).sort());
  expect(LISTS.length).toBeGreaterThan(12);
});

describe.each([
  ['as they run', false],
  ['without the WHERE clauses of the applications, by row-level security alone', true],
] as const)('tenants are kept apart, %s', (_name, tenantBlind) => {
  let stack: TestStack;
  let blind: TenantBlindProxy | undefined;
  let sink: WebhookSink;
  let owner: Integrator;
  let stranger: Integrator;
  let owned: OwnedResources;
  let strangers: OwnedResources;
  /** An owner of the stranger's tenant, and one of the other. */
  let member: TestMember;
  let ownersMember: TestMember;

  beforeAll(async () => {
    const between = async (server: 'postgres' | 'kms', url: string) => {
      if (server !== 'postgres' || !tenantBlind) return url;
      blind = await tenantBlindProxy(url);
      return blind.url;
    };
    stack = await startDeployment({ env: { ...NO_LIMITS, RATE_LIMIT_WRONG_KEY: '1000000' }, between });
    sink = await webhookSink();
    [owner, stranger] = [await signUp(stack), await signUp(stack)];
    owned = await ownedResourcesOf(stack, owner, sink);
    const store = { query: <Row>(sql: string, params?: unknown[]) => inStore<Row>(stack, sql, params) };
    member = await testMember(store, stranger.tenantId, 'owner');
    ownersMember = await testMember(store, owner.tenantId, 'owner');
    await inStore(stack, `update platform.member_token set expires_at = now() + interval '1 hour'`);
  });
  afterAll(async () => {
    await stack?.close();
    await Promise.all([sink?.close(), blind?.close()]);
  });

  const hostOf = ({ app }: Pick<Operation, 'app'>): string =>
    ({ platform: stack.baseUrl, compliance: stack.complianceUrl, signing: stack.signingUrl })[app];

  /** What a caller can tell of an answer, without what is different every time. */
  async function call(
    operation: Operation,
    path: string,
    headers: Record<string, string>,
    body: unknown = BODIES[operation.operationId],
  ) {
    const file = Buffer.isBuffer(body) ? new Uint8Array(body) : null;
    const type = file === null ? 'application/json' : (TYPES[file[0] ?? 0] ?? 'text/csv');
    const response = await httpOf(stack)(`${hostOf(operation)}${path}`, {
      method: operation.method,
      headers: {
        ...headers,
        ...HEADERS[operation.operationId],
        ...(body === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body: file ?? JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = (/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {}) as Record<
      string,
      unknown
    >;
    delete answer.request_id;
    delete answer.instance;
    const names = [...response.headers.keys()].filter((name) => name !== 'keep-alive').sort();
    return { status: response.status, type: response.headers.get('content-type'), names, answer };
  }

  const asStranger = () => ({ 'X-API-Key': stranger.apiKey });
  const asMember = (of = member) => ({ Authorization: `Bearer ${of.token}` });

  function pathOf({ path, app, operationId }: Operation, ids: Partial<Record<string, string>>): string {
    const id = owned.ids.find(([ofApp, prefix]) => app === ofApp && path.startsWith(prefix))?.[2] as string;
    expect(id, 'this test knows no id for the path: add one to owned-resources.fixture.ts').toBeDefined();
    const known: Record<string, string> = {
      id,
      receipt_id: id,
      attachment_id: typeId('caf'),
      event_id: id,
      rule_id: owned.ruleId,
      signer_id: owned.signerId,
      session_id: typeId('mss'),
      passkey_id: owned.passkeyId,
      module: 'seal',
      kind: 'selfie',
    };
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? (known[name] as string));
    return `${filled}${QUERIES[operationId] ?? ''}`;
  }

  /** Another id of the same kind, which nobody has. */
  const unknownLike = (id: string) => (isUuid(id) ? uuidv7() : typeId(id.slice(0, 3) as 'sig'));

  it.each(BY_KEY.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'another’s id is 404, the same as an unknown one, to a key and to an owner’s member token: %s',
    async (_, operation) => {
      const foreignPath = pathOf(operation, {});
      const id = owned.ids.find(([, , each]) => foreignPath.includes(each))?.[2] as string;
      const foreign = await call(operation, foreignPath, asStranger());
      const unknown = await call(operation, foreignPath.replace(id, unknownLike(id)), asStranger());
      expect(foreign).toEqual(unknown);
      expect(foreign.status).toBe(404);
      expect(await call(operation, foreignPath, asMember())).toEqual(foreign);
    },
  );

  it('a member ends no session of another tenant’s member', async () => {
    const operation = byName('endOwnSession');
    const [foreign, unknown] = await Promise.all(
      [ownersMember.sessionId, uuidv7()].map((id) =>
        call(operation, operation.path.replace(/\{[^}]+\}/, typeId('mss', id)), asMember()),
      ),
    );
    expect(foreign).toEqual(unknown);
    expect(foreign?.status).toBe(404);
    const list = byName('listOwnSessions');
    const { status, answer } = await call(list, list.path, asMember(ownersMember));
    expect([status, JSON.stringify(answer)]).toEqual([
      200,
      expect.stringContaining(typeId('mss', ownersMember.sessionId)),
    ]);
  });

  it.each(['renameOwnPasskey', 'removeOwnPasskey'])('a member changes no passkey of another tenant: %s', async (id) => {
    const operation = byName(id);
    const body = id === 'renameOwnPasskey' ? { name: 'x' } : undefined;
    const [foreign, unknown] = await Promise.all(
      [owned.passkeyId, typeId('psk')].map((each) =>
        call(operation, operation.path.replace('{id}', each), asMember(), body),
      ),
    );
    expect(foreign).toEqual(unknown);
    expect(foreign?.status).toBe(404);
  });

  it.each(Object.entries(IN_REQUESTS))(
    'another’s id in a request is an unknown one: %s',
    async (name, { of, request }) => {
      const [operationId, place] = name.split(' ') as [string, string];
      const operation = byName(operationId);
      const part = place.slice(1);
      const id = owned[of] as string;
      const tries = [
        [id, asStranger()],
        [unknownLike(id), asStranger()],
        [id, asMember()],
      ] as const;
      const [foreign, unknown, foreignToMember] = await Promise.all(
        tries.map(([each, headers]) =>
          place.startsWith('?')
            ? call(operation, `${operation.path}?${part}=${each}`, headers, request)
            : call(operation, operation.path, headers, { ...(request as object), [part]: each }),
        ),
      );
      expect(foreign).toEqual(unknown);
      expect(foreignToMember).toEqual(foreign);
      const isList = place.startsWith('?') && request === undefined;
      expect(foreign?.status).toBe(isList ? 200 : 404);
      const pointer = place.replace('?', '/query/');
      if (isList) expect(foreign?.answer).toMatchObject({ data: [] });
      else expect(foreign?.answer.errors).toMatchObject([{ pointer, code: 'not_found' }]);
    },
  );

  it('no list shows a row of another tenant, not from its cursors either', async () => {
    for (const operation of LISTS) {
      const { answer } = await call(operation, operation.path, asStranger());
      const byMember = await call(operation, operation.path, asMember());
      if (NOT_EMPTY[operation.operationId] === undefined) expect(byMember.answer.data, operation.path).toEqual([]);
      if (NOT_EMPTY[operation.operationId] === undefined) expect(answer.data, operation.path).toEqual([]);
      const shown = JSON.stringify([answer, byMember.answer]);
      for (const [, , id] of owned.ids) expect(shown, operation.path).not.toContain(id);
      const full = await call(operation, `${operation.path}?limit=1`, { 'X-API-Key': owner.apiKey }).catch(
        () => undefined,
      );
      const cursor = full?.answer.next_cursor;
      if (typeof cursor !== 'string') continue;
      const next = await call(operation, `${operation.path}?cursor=${encodeURIComponent(cursor)}`, asStranger());
      expect([200, 400], operation.path).toContain(next.status);
      if (next.status === 200 && NOT_EMPTY[operation.operationId] === undefined) expect(next.answer.data).toEqual([]);
    }
  });

  it('an own thing with another’s part of it is 404: rules of a validation, signers of an envelope', async () => {
    strangers = await ownedResourcesOf(stack, stranger, sink);
    for (const operation of BY_KEY.filter(({ path }) => /\{(rule_id|signer_id)\}/.test(path))) {
      const id = operation.path.includes('rule_id') ? strangers.validationId : strangers.envelopeId;
      const [foreign, unknown] = await Promise.all(
        [{}, { rule_id: unknownId('rul'), signer_id: unknownId('sgn') }].map((part) =>
          call(operation, pathOf(operation, { id, ...part }), asStranger()),
        ),
      );
      expect(foreign, operation.operationId).toEqual(unknown);
      expect(foreign?.status).toBe(operation.path.includes('rule_id') ? 400 : 404); // of a published one nothing changes
    }
  });

  it('a picture of another tenant is an unknown one: stored_uri', async () => {
    const operation = byName('advanceFlowSession');
    const path = operation.path.replace('{id}', strangers.sessionId);
    const consent = { input: { accepted: true } };
    expect((await call(operation, path, asStranger(), consent)).status).toBe(200);
    const advance = (uri: string) =>
      call(operation, path, asStranger(), { input: { doc_front_uri: uri, doc_back_uri: uri } });
    const [foreign, unknown] = [await advance(owned.storedUri), await advance(unknownId('stored_uri'))]; // one at a time
    expect(foreign).toEqual(unknown);
    expect(foreign.status).toBe(404);
    expect(foreign.answer.errors).toMatchObject([{ pointer: '/input/doc_front_uri', code: 'not_found' }]);
  });

  it('a session token opens its own session only, and nothing else of anybody', async () => {
    const bearer = { Authorization: `Bearer ${owned.sessionToken}` };
    const show = byName('showFlowSession');
    expect((await call(show, show.path.replace('{id}', owned.sessionId), bearer)).status).toBe(200);
    for (const operation of BY_KEY.filter(({ path }) => path.startsWith('/v1/flows/sessions/{id}'))) {
      const [foreign, unknown] = await Promise.all(
        [strangers.sessionId, unknownId('fls')].map((id) =>
          call(operation, operation.path.replace('{id}', id), bearer),
        ),
      );
      expect(foreign, operation.operationId).toEqual(unknown);
      expect(foreign?.status).toBe(401);
    }
    for (const operation of BY_KEY.filter(({ path }) => !/sessions|presign/.test(path))) {
      expect((await call(operation, pathOf(operation, {}), bearer)).status, operation.operationId).toBe(401);
    }
  });

  it.each(BY_ADDRESS.map((operation) => [operation.operationId, operation] as const))(
    'an address that is a credential cannot be guessed, and a key adds nothing to it: %s',
    async (_, operation) => {
      if (operation.operationId === 'receiveUpload') {
        const url = new URL(owned.uploadUrl);
        const moved = url.pathname.replace(/ast_\w+/, unknownId('ast')) + url.search;
        const headers = { ...asStranger(), 'Content-Type': 'image/png' };
        expect((await call(operation, moved, headers)).status).toBe(401);
        expect((await call(operation, url.pathname, headers)).status).toBe(401);
        return;
      }
      const [nobodys, withKey, malformed] = await Promise.all([
        call(operation, operation.path.replace('{token}', 'A'.repeat(43)), {}),
        call(operation, operation.path.replace('{token}', 'B'.repeat(43)), asStranger()),
        call(operation, operation.path.replace('{token}', 'x'), {}),
      ]);
      expect(nobodys?.status).toBe(SAME_TO_ALL[operation.operationId] ?? 404);
      expect(withKey).toEqual(nobodys);
      expect(malformed).toEqual(nobodys);
      if (SAME_TO_ALL[operation.operationId] !== undefined) {
        const known = await call(operation, operation.path.replace('{token}', owned.signToken), {});
        expect(known).toEqual(nobodys);
      }
    },
  );

  it('was changed by none of these calls: the owner still sees everything', async () => {
    for (const [app, prefix, id] of owned.ids) {
      const response = await httpOf(stack)(`${hostOf({ app })}${prefix}${id}`, {
        headers: { 'X-API-Key': owner.apiKey },
      });
      expect(response.status, prefix).toBe(200);
    }
    const { data: endpoints } = await owner.platform.GET('/tenants/{id}/webhook-endpoints', {
      params: { path: { id: owner.tenantId } },
    });
    expect(endpoints?.data[0]?.url).toContain(sink.url);
  });

  if (tenantBlind) {
    it('was indeed a matter of row-level security: without it too, the ids of others lead somewhere', async () => {
      expect(blind?.rewritten).toBeGreaterThan(100);
      await inStore(
        stack,
        `do $$ declare t record; begin
           for t in select schemaname, tablename from pg_tables where rowsecurity loop
             execute format('alter table %I.%I disable row level security', t.schemaname, t.tablename);
           end loop; end $$`,
      );
      const seen: string[] = [];
      for (const operation of BY_KEY.filter(({ method }) => method === 'GET')) {
        const { status } = await call(operation, pathOf(operation, {}), asStranger());
        if (status !== 404) seen.push(operation.operationId);
      }
      expect(seen).toEqual(
        expect.arrayContaining(['getTemplate', 'getCircuit', 'getEnvelope', 'showFlow', 'showSubject']),
      );
      expect(seen).toEqual(
        expect.arrayContaining(['getValidation', 'getScreening', 'showCase', 'showWebhookDelivery']),
      );
    });
  }
});
