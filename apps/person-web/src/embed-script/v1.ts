import {
  embedMessage,
  embedTokenIn,
  type EmbedTheme,
  type FrameMessage,
  type HostMessage,
  type HostMessages,
  newEmbedMessage,
} from '@constancia/contracts/embed';

/** Messages of the frame that are events of the element; `closed` also removes the frame. */
const EVENTS: readonly string[] = [
  'ready',
  'step',
  'completed',
  'failed',
  'expired',
  'closed',
  'error',
  'camera_denied',
] satisfies FrameMessage[];
const CONNECT_EVERY_MS = 250;
/** When the frame has sent no message for this long, the browser refused it, or its server is unavailable. */
const FIRST_MESSAGE_WITHIN_MS = 20_000;
/** Downloads and new tabs: a signed document, and the page where a signer proves an identity, which no sandbox may keep from the camera. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox';
const LEAST_HEIGHT = 480;
const MOST_HEIGHT = 4_000;

/** `<service-embed session="{embed_url}">`: shows an embed session in a frame. */
class ServiceEmbed extends HTMLElement {
  static readonly observedAttributes = ['session'];
  /** An element that was in the page before this script has its attribute announced before it is attached. */
  private attached = false;
  private frame: HTMLIFrameElement | null = null;
  private origin = '';
  private frameNonce = '';
  private sent = 0;
  private lastSeq = 0;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private connecting: ReturnType<typeof setInterval> | undefined;
  /** Announces that the address is wrong; null when it was announced, or the address has changed. */
  private notice: (() => void) | null = null;

  connectedCallback(): void {
    this.attached = true;
    this.open();
  }

  disconnectedCallback(): void {
    this.attached = false;
    this.end();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.attached || before === after) return;
    this.end();
    this.open();
  }

  /** Removes the frame, as the person can from within. */
  close(): void {
    if (this.frame === null) return;
    this.end();
    this.announce('closed', {});
  }

  /** Changes how the page in the frame looks. */
  setTheme(theme: EmbedTheme): void {
    this.send('theme', theme);
  }

  /** Puts the focus into the frame. */
  override focus(): void {
    this.frame?.focus();
    this.send('focus', {});
  }

  private open(): void {
    const address = this.getAttribute('session');
    if (address === null || address === '') return;
    const url = urlOf(address);
    if (url === null) {
      this.refuse();
      return;
    }
    const nonce = crypto.getRandomValues(new Uint8Array(16));
    Object.assign(this, { origin: url.origin, sent: 0, lastSeq: 0 });
    this.frameNonce = Array.from(nonce, (byte) => byte.toString(16).padStart(2, '0')).join('');
    this.frame = frameFor(url, this.title);
    this.frame.addEventListener('load', () => this.connect());
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).replaceChildren(this.frame);
    addEventListener('message', this.onMessage);
    this.awaitFirstMessage();
  }

  /** Announces a wrong address once the page has loaded: its own scripts, which listen, may run after this one. */
  private refuse(): void {
    const notice = () => {
      if (this.notice !== notice) return;
      this.notice = null;
      this.announce('error', { code: 'unavailable' });
    };
    this.notice = notice;
    if (document.readyState === 'complete') setTimeout(notice);
    else addEventListener('load', notice, { once: true });
  }

  /** Introduces itself to the page that the frame has loaded, also again, until that answers. */
  private connect(): void {
    this.stopConnecting();
    this.lastSeq = 0;
    this.awaitFirstMessage();
    this.send('connect', {});
    this.connecting = setInterval(() => this.send('connect', {}), CONNECT_EVERY_MS);
  }

  private awaitFirstMessage(): void {
    this.deadline = setTimeout(() => this.fail(), FIRST_MESSAGE_WITHIN_MS);
  }

  private end(): void {
    this.notice = null;
    this.stopConnecting();
    removeEventListener('message', this.onMessage);
    this.frame?.remove();
    this.frame = null;
  }

  private fail(): void {
    this.end();
    this.announce('error', { code: 'unavailable' });
  }

  private stopConnecting(): void {
    clearTimeout(this.deadline);
    clearInterval(this.connecting);
  }

  private send<Name extends HostMessage>(name: Name, payload: HostMessages[Name]): void {
    const { origin, frameNonce: nonce } = this;
    const message = newEmbedMessage(name, payload, { session: '', nonce, seq: ++this.sent });
    this.frame?.contentWindow?.postMessage(message, origin);
  }

  /** Accepts messages of the frame's own window and origin, with this frame's nonce, and later than the ones before. */
  private readonly onMessage = ({ origin, source, data }: MessageEvent): void => {
    if (this.frame === null || origin !== this.origin || source !== this.frame.contentWindow) return;
    const message = embedMessage(data);
    if (message === null || message.nonce !== this.frameNonce || message.seq <= this.lastSeq) return;
    this.lastSeq = message.seq;
    this.stopConnecting();
    const { name, session, payload } = message;
    if (name === 'resized') this.resize(payload);
    if (!EVENTS.includes(name)) return;
    if (name === 'closed') this.end();
    this.announce(name, { session, ...payload });
  };

  private resize({ height }: { height?: unknown }): void {
    if (typeof height !== 'number' || !(height > 0) || this.frame === null) return;
    this.frame.style.height = `${Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(height)))}px`;
  }

  private announce(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** The address of a frame; null when it is none. */
function urlOf(address: string): URL | null {
  try {
    const url = new URL(address);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    return isWeb && embedTokenIn(url.pathname) !== null ? url : null;
  } catch {
    return null;
  }
}

function frameFor({ href }: URL, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  const spanish = /^es/i.test(document.documentElement.lang || navigator.language);
  frame.title = title || (spanish ? 'Verificación y firma' : 'Verification and signature');
  frame.allow = 'camera';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', SANDBOX);
  Object.assign(frame.style, { display: 'block', width: '100%', height: `${LEAST_HEIGHT}px`, border: '0' });
  frame.src = href;
  return frame;
}

if (!customElements.get('service-embed')) customElements.define('service-embed', ServiceEmbed);
