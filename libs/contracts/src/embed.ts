import type { ApiHost } from './api-paths.ts';

/**
 * Embed sessions: a tenant's web page shows a page of ours in an iframe. The frame's address is
 * `/v1/embed/sessions/{token}/ui` on the host of the pages of its kind; the script `{base_url}/embed/v1.js` creates the iframe and translates
 * its messages.
 */

/**
 * What an embed session can show. flow: the capture page of a flow session. sign: the page of one signer of an envelope. wallet_consent: the
 * page on which a person answers a request for their kept verification.
 */
export const EMBED_KINDS = ['flow', 'sign', 'wallet_consent'] as const;
export type EmbedKind = (typeof EMBED_KINDS)[number];
/** The host on which embed sessions of a kind are created. */
export const EMBED_HOSTS = {
  flow: 'platform',
  sign: 'signing',
  wallet_consent: 'platform',
} as const satisfies Record<EmbedKind, ApiHost>;

/**
 * created: no frame was opened. opened: a frame has it. in_progress: a step was taken; never of wallet_consent. completed: nothing is left
 * for the person to do. failed: the flow session ended without success, the envelope without this signature, the request cancelled or declined
 * by a person who let that be known. expired and revoked: the token no longer works.
 */
export const EMBED_STATES = ['created', 'opened', 'in_progress', 'completed', 'failed', 'expired', 'revoked'] as const;
export type EmbedState = (typeof EMBED_STATES)[number];

/** 32 random bytes as 43 base62 characters, a checksum of 6. */
const SECRET = '[0-9A-Za-z]{49}';
export const EMBED_TOKEN = new RegExp(`^emt_${SECRET}$`);
/** The token of the one frame that opened a session. */
export const EMBED_ACCESS_TOKEN = new RegExp(`^ema_${SECRET}$`);

/** The address of everything that an embed token reaches. */
export const embedPath = (token: string): string => `/v1/embed/sessions/${token}`;
/** The framed page, below embedPath. */
export const EMBED_PAGE = '/ui';
/** How it stands, below embedPath: what the tenant's API says too. */
export const EMBED_STATE = '/state';
const PAGE_ADDRESS = new RegExp(`^${embedPath(`(emt_${SECRET})`)}${EMBED_PAGE}$`);

/** The token in the path of a framed page; null when it is another page's. */
export const embedTokenIn = (pathname: string): string | null => PAGE_ADDRESS.exec(pathname)?.[1] ?? null;

export const COLOR_SCHEMES = ['auto', 'light', 'dark'] as const;
/** How the framed page looks, in tokens: never style rules. */
export interface EmbedTheme {
  /** auto: as the person's device prefers. */
  color_scheme?: (typeof COLOR_SCHEMES)[number];
}

/** POST {embedPath}/exchange. parent_origin: of the page that holds the frame, one of the session's allowed origins. */
export interface EmbedExchange {
  parent_origin: string;
}

/** Its answer. access_token: sent as `Authorization: Bearer` with every further call of this frame. */
export interface EmbedExchanged {
  /** TypeID of the embed session, for messages. */
  id: string;
  access_token: string;
  expires_at: string;
}

/** The version of the messages between the page and its frame. */
export const EMBED_VERSION = 1;
const PREFIX = 'service.embed.';

/** What the frame sends to the page. None proves an outcome or holds personal data: the outcome comes by webhook, or from the API. */
export interface FrameMessages {
  /** The frame has the session and shows it. */
  ready: object;
  /** CSS pixels that the content takes. */
  resized: { height: number };
  step: { step: string };
  completed: object;
  failed: object;
  expired: object;
  closed: object;
  error: { code: EmbedErrorCode };
  camera_denied: object;
}
export type FrameMessage = keyof FrameMessages;

/** already_open: another frame has used the session. unavailable: the server or the frame does not answer. */
export type EmbedErrorCode = 'already_open' | 'origin_not_allowed' | 'unavailable';

/** What the page sends to its frame. */
export interface HostMessages {
  connect: object;
  focus: object;
  theme: EmbedTheme;
}
export type HostMessage = keyof HostMessages;

/** A message in either direction. */
export interface EmbedMessage {
  v: typeof EMBED_VERSION;
  /** `service.embed.` and its name. */
  type: string;
  /** TypeID of the embed session; empty before the frame has it. */
  session: string;
  /** Counts up from 1 in each direction. */
  seq: number;
  /** 128 random bits of the page, hex: the same in every message of one frame. */
  nonce: string;
  payload: object;
}

/** What is read of a message. */
export type ReceivedMessage = Omit<EmbedMessage, 'v' | 'type'> & { name: string };

export const EMBED_NONCE = /^[0-9a-f]{32}$/;

/** Reads a message; null when the data are no message of this protocol. The caller checks its origin and source. */
export function embedMessage(data: unknown): ReceivedMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { v, type, session, seq, nonce, payload } = data as Record<string, unknown>;
  if (v !== EMBED_VERSION || typeof type !== 'string' || !type.startsWith(PREFIX)) return null;
  if (typeof nonce !== 'string' || !EMBED_NONCE.test(nonce)) return null;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || typeof session !== 'string') return null;
  if (typeof payload !== 'object' || payload === null) return null;
  return { name: type.slice(PREFIX.length), session, seq, nonce, payload };
}

/** Makes a message. */
export function newEmbedMessage(
  name: FrameMessage | HostMessage,
  payload: object,
  { session, seq, nonce }: Pick<EmbedMessage, 'session' | 'seq' | 'nonce'>,
): EmbedMessage {
  return { v: EMBED_VERSION, type: `${PREFIX}${name}`, session, seq, nonce, payload };
}
