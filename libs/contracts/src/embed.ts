/**
 * Embed sessions: a tenant's web page shows a page of ours in an iframe. The frame's address is
 * `{person_url}/v1/embed/sessions/{token}/ui`; the script `{base_url}/embed/v1.js` makes the iframe and translates its messages.
 */

/** What an embed session can show. flow: the capture page of a flow session. */
export const EMBED_KINDS = ['flow'] as const;
export type EmbedKind = (typeof EMBED_KINDS)[number];

/**
 * created: no frame was opened. opened: a frame has it. in_progress: a step was taken. completed: nothing is left for the person to do.
 * failed: the flow session ended without success. expired and revoked: the token no longer works.
 */
export const EMBED_STATES = ['created', 'opened', 'in_progress', 'completed', 'failed', 'expired', 'revoked'] as const;
export type EmbedState = (typeof EMBED_STATES)[number];

/** `emt_`, 32 random bytes as 43 base62 characters, a checksum of 6. */
export const EMBED_TOKEN = /^emt_[0-9A-Za-z]{49}$/;

/** The address of everything that an embed token reaches. */
export const embedPath = (token: string): string => `/v1/embed/sessions/${token}`;
/** The framed page, below embedPath. */
export const EMBED_PAGE = '/ui';

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

/** What the frame tells the page. None proves an outcome or holds personal data: the webhook or the API tells the outcome. */
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

/** What the page tells its frame. */
export interface HostMessages {
  connect: object;
  focus: object;
  theme: EmbedTheme;
}
export type HostMessage = keyof HostMessages;

/** A message in either direction. */
export interface EmbedMessage<Type extends string = string, Payload = unknown> {
  v: typeof EMBED_VERSION;
  type: `service.embed.${Type}`;
  /** TypeID of the embed session; empty before the frame has it. */
  session: string;
  /** Counts up from 1 in each direction. */
  seq: number;
  /** 128 random bits of the page, hex: the same in every message of one frame. */
  nonce: string;
  payload: Payload;
}

export const EMBED_NONCE = /^[0-9a-f]{32}$/;

/** Reads a message; null when it is none of this protocol. Its origin and source are checked by the caller, before. */
export function embedMessage(data: unknown): (EmbedMessage & { name: string }) | null {
  if (typeof data !== 'object' || data === null) return null;
  const message = data as Partial<EmbedMessage>;
  if (message.v !== EMBED_VERSION || typeof message.type !== 'string' || !message.type.startsWith(PREFIX)) return null;
  if (typeof message.nonce !== 'string' || !EMBED_NONCE.test(message.nonce)) return null;
  if (!Number.isSafeInteger(message.seq) || typeof message.session !== 'string') return null;
  if (typeof message.payload !== 'object' || message.payload === null) return null;
  return { ...(message as EmbedMessage), name: message.type.slice(PREFIX.length) };
}

/** Makes a message. */
export function newEmbedMessage<Type extends string, Payload>(
  name: Type,
  payload: Payload,
  { session, seq, nonce }: Pick<EmbedMessage, 'session' | 'seq' | 'nonce'>,
): EmbedMessage<Type, Payload> {
  return { v: EMBED_VERSION, type: `${PREFIX}${name}` as const, session, seq, nonce, payload } as EmbedMessage<
    Type,
    Payload
  >;
}
