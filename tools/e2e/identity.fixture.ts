import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { type CedulaFields, renderCedulaBack, renderFront } from '@constancia/document-reading/rendered';
import { eventually, type TestRedis, type TestStack } from '@constancia/testing';
import sharp from 'sharp';
import { httpOf, inStore, type Integrator } from './deployment.fixture.ts';

/** Somebody invented, with names and a number that nothing else has in it. */
export type Holder = Required<
  Pick<CedulaFields, 'documentNumber' | 'surname1' | 'surname2' | 'givenName1' | 'givenName2' | 'birthDate'>
>;

export interface Cedula {
  front: Buffer;
  back: Buffer;
}

/** Both sides of a yellow cédula as JPEG: true PDF417 behind, names and portrait in front. */
export async function cedulaOf(holder: Holder, portrait: Buffer, printedAs: Holder = holder): Promise<Cedula> {
  const names = [
    { caption: 'APELLIDOS', value: `${printedAs.surname1} ${printedAs.surname2}` },
    { caption: 'NOMBRES', value: `${printedAs.givenName1} ${printedAs.givenName2}` },
  ];
  const [front, back] = await Promise.all([
    renderFront(names, { portrait }),
    renderCedulaBack({ ...holder, sex: 'F' }),
  ]);
  const jpeg = (png: Buffer) => sharp(png).jpeg({ quality: 88 }).toBuffer();
  return { front: await jpeg(front), back: await jpeg(back) };
}

export interface SessionAnswer {
  status: number;
  body: {
    id: string;
    subject_id: string;
    session_token: string;
    status: string;
    current_step: string | null;
    last_outcome: string | null;
    reason?: string;
    attempts_left?: number;
    rejection_reason?: string;
    type?: string;
  };
}

/** A subject's device: it has the session's token and no key. */
export class Onboarding {
  /** Sent with every request from now on, as by a device with tracing of its own. */
  traceparent: string | undefined;

  private constructor(
    private readonly stack: TestStack,
    readonly id: string,
    readonly subjectId: string,
    readonly token: string,
  ) {}

  static async open(stack: TestStack, integrator: Integrator, holder: Holder, ref?: string): Promise<Onboarding> {
    const { data, error } = await integrator.platform.POST('/v1/flows/sessions', {
      body: { external_ref: ref, document_type: 'CC', document_number: holder.documentNumber, country: 'CO' },
    });
    if (!data) throw new Error(`no session: ${JSON.stringify(error)}`);
    return new Onboarding(stack, data.id, data.subject_id, data.session_token);
  }

  /** The same device, when another deployment answers. */
  on(stack: TestStack): Onboarding {
    return new Onboarding(stack, this.id, this.subjectId, this.token);
  }

  async advance(input: object): Promise<SessionAnswer> {
    const response = await this.post(`/v1/flows/sessions/${this.id}/advance`, { input });
    return { status: response.status, body: (await response.json()) as SessionAnswer['body'] };
  }

  /** Asks for an address and puts a picture there; answers its stored_uri. */
  upload(kind: 'doc_front' | 'doc_back' | 'selfie', picture: Buffer): Promise<string> {
    return uploadPicture(this.stack, { subjectId: this.subjectId, token: this.token }, kind, picture);
  }

  consent(): Promise<SessionAnswer> {
    return this.advance({ accepted: true, locale: 'es-CO' });
  }

  async document({ front, back }: Cedula): Promise<SessionAnswer> {
    return this.advance({
      doc_front_uri: await this.upload('doc_front', front),
      doc_back_uri: await this.upload('doc_back', back),
    });
  }

  async face(selfie: Buffer): Promise<SessionAnswer> {
    return this.advance({ selfie_uri: await this.upload('selfie', selfie), liveness_mode: 'basic' });
  }

  /** The session as it stands, once no work of a worker is under way. */
  async settled(timeoutMs = 60_000): Promise<SessionAnswer> {
    for (const deadline = Date.now() + timeoutMs; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
      const response = await httpOf(this.stack)(`${this.stack.baseUrl}/v1/flows/sessions/${this.id}`, {
        headers: { Authorization: `Bearer ${this.token}` },
      });
      const answer = { status: response.status, body: (await response.json()) as SessionAnswer['body'] };
      if (answer.body.last_outcome !== 'processing' || Date.now() > deadline) return answer;
    }
  }

  private post(route: string, body: object): Promise<Response> {
    return postWith(this.stack, this.token, route, body, this.traceparent);
  }
}

function postWith(
  stack: TestStack,
  token: string,
  route: string,
  body: object,
  traceparent?: string,
): Promise<Response> {
  return httpOf(stack)(`${stack.baseUrl}${route}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(traceparent !== undefined && { traceparent }),
    },
    body: JSON.stringify(body),
  });
}

/** Asks, as a session, for an address and puts a picture there; answers its stored_uri. */
export async function uploadPicture(
  stack: TestStack,
  { subjectId, token }: { subjectId: string; token: string },
  kind: 'doc_front' | 'doc_back' | 'selfie',
  picture: Buffer,
): Promise<string> {
  const presign = await postWith(stack, token, `/v1/kyc/subjects/${subjectId}/presign-upload`, { kind });
  const { upload_url, stored_uri } = (await presign.json()) as { upload_url: string; stored_uri: string };
  const put = await httpOf(stack)(upload_url, {
    method: 'PUT',
    headers: { 'Content-Type': 'image/jpeg' },
    body: new Uint8Array(picture),
  });
  if (put.status !== 204) throw new Error(`the upload answered ${put.status}: ${await put.text()}`);
  return stored_uri;
}

/** The default flow and its validation, published, and the lists that a sandbox begins with loaded. */
export async function readyForOnboarding({ platform, compliance }: Integrator): Promise<void> {
  const { error, response } = await platform.POST('/v1/flows/seed-default');
  if (error && response.status !== 409) throw new Error(`no default flow: ${JSON.stringify(error)}`);
  await eventually(
    async () => {
      const validations = await compliance.GET('/v1/validations', { params: { query: { status: 'published' } } });
      const lists = await compliance.GET('/v1/lists');
      if (validations.data?.data.length !== 1) throw new Error('no validation is published');
      if (!lists.data?.data.length) throw new Error('no list is loaded');
    },
    60_000,
    250,
  );
}

/** Kills every child process of a process as soon as it is there; stop() answers how many. */
export function killChildrenOf(pid: number): { stop(): number } {
  const killed = new Set<number>();
  const timer = setInterval(() => {
    for (const child of childrenOf(pid).filter((each) => !killed.has(each))) {
      if (kill(child)) killed.add(child);
    }
  }, 10);
  return {
    stop() {
      clearInterval(timer);
      return killed.size;
    },
  };
}

/** The processes that the threads of a process have started; a thread may end while they are read. */
function childrenOf(pid: number): number[] {
  return fs.readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      const children = fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1');
      return children.trim().split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
}

/** false: it had ended by itself. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Everything that goes into the queues from now on, as its store sees it. */
export interface QueueWatch {
  seen(): Promise<string>;
  close(): Promise<void>;
}

export function watchQueues(stack: TestStack, redis: TestRedis | undefined): Promise<QueueWatch> {
  return redis ? watchRedis(redis.url) : watchTables(stack);
}

/** MONITOR over a plain socket: ioredis fails when the first line arrives in the same packet as the answer to MONITOR. */
async function watchRedis(url: string): Promise<QueueWatch> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname).setEncoding('latin1');
  const received: string[] = [];
  socket.on('data', (chunk) => received.push(String(chunk)));
  socket.write('MONITOR\r\n');
  await once(socket, 'data');
  return {
    seen: () => Promise.resolve(received.join('')),
    close: () => Promise.resolve(void socket.destroy()),
  };
}

/** Rows of queues live for milliseconds: a trigger keeps what was ever written. */
async function watchTables(stack: TestStack): Promise<QueueWatch> {
  await inStore(
    stack,
    `create schema watched;
     create table watched.row (row text);
     grant usage on schema watched to public;
     grant insert on watched.row to public;
     create function watched.keep() returns trigger language plpgsql as
       $$ begin insert into watched.row values (to_jsonb(new)::text); return null; end $$;
     do $$ declare name text; begin
       for name in select tablename from pg_tables where schemaname = 'queue' loop
         execute format('create trigger watched after insert or update on queue.%I for each row execute function watched.keep()', name);
       end loop;
     end $$`,
  );
  return {
    async seen() {
      const rows = await inStore<{ row: string }>(stack, 'select row from watched.row');
      return rows.map(({ row }) => row).join('\n');
    },
    close: () => Promise.resolve(),
  };
}
