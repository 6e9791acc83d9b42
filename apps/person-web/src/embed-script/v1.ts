import { EMBED_PAGE, embedMessage, embedPath, type EmbedTheme, newEmbedMessage } from '@constancia/contracts/embed';

/** What the frame says, as events of the element; `closed` also removes the frame. */
const EVENTS = ['ready', 'step', 'completed', 'failed', 'expired', 'closed', 'error', 'camera_denied'];
const CONNECT_EVERY_MS = 250;
/** Without a word of the frame for so long, it was refused by the browser or its server is unavailable. */
const READY_WITHIN_MS = 20_000;
const LEAST_HEIGHT = 480;
const MOST_HEIGHT = 4_000;

const ADDRESS = new RegExp(`^${embedPath('emt_[0-9A-Za-z]{49}')}${EMBED_PAGE}$`);

/** `<service-embed session="{embed_url}">`: shows an embed session in a frame. */
class ServiceEmbed extends HTMLElement {
  static readonly observedAttributes = ['session'];
  private frame: HTMLIFrameElement | null = null;
  private origin = '';
  private frameNonce = '';
  private sent = 0;
  private heard = 0;
  private timers: ReturnType<typeof setInterval>[] = [];

  /** An element that was in the page before this script has its attribute announced first, which opened it. */
  connectedCallback(): void {
    if (this.frame === null) this.open();
  }

  disconnectedCallback(): void {
    this.end();
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    this.end();
    this.open();
  }

  /** Removes the frame, as the person can from within. */
  close(): void {
    if (this.frame === null) return;
    this.end();
    this.tell('closed', {});
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
      this.tell('error', { code: 'unavailable' });
      return;
    }
    const nonce = crypto.getRandomValues(new Uint8Array(16));
    Object.assign(this, { origin: url.origin, sent: 0, heard: 0 });
    this.frameNonce = Array.from(nonce, (byte) => byte.toString(16).padStart(2, '0')).join('');
    this.frame = frameFor(url, this.title);
    this.frame.addEventListener('load', () => this.connect());
    (this.shadowRoot ?? this.attachShadow({ mode: 'open' })).replaceChildren(this.frame);
    addEventListener('message', this.hear);
    this.timers = [setTimeout(() => this.fail(), READY_WITHIN_MS)];
  }

  /** Introduces itself to the page that the frame has loaded, until that answers. */
  private connect(): void {
    if (this.timers.length !== 1) return;
    this.send('connect', {});
    this.timers.push(setInterval(() => this.send('connect', {}), CONNECT_EVERY_MS));
  }

  private end(): void {
    this.stopConnecting();
    removeEventListener('message', this.hear);
    this.frame?.remove();
    this.frame = null;
  }

  private fail(): void {
    this.end();
    this.tell('error', { code: 'unavailable' });
  }

  private stopConnecting(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
  }

  private send(name: string, payload: object): void {
    const { origin, frameNonce: nonce } = this;
    const message = newEmbedMessage(name, payload, { session: '', nonce, seq: ++this.sent });
    this.frame?.contentWindow?.postMessage(message, origin);
  }

  /** Only what the window of the frame itself says, from its origin, with this frame's nonce, and later than what it said before. */
  private readonly hear = ({ origin, source, data }: MessageEvent): void => {
    if (this.frame === null || origin !== this.origin || source !== this.frame.contentWindow) return;
    const message = embedMessage(data);
    if (message === null || message.nonce !== this.frameNonce || message.seq <= this.heard) return;
    this.heard = message.seq;
    this.stopConnecting();
    const { name, session } = message;
    if (name === 'resized') this.resize((message.payload as { height?: unknown }).height);
    if (!EVENTS.includes(name)) return;
    if (name === 'closed') this.end();
    this.tell(name, { session, ...(message.payload as object) });
  };

  private resize(height: unknown): void {
    if (typeof height !== 'number' || !(height > 0) || this.frame === null) return;
    this.frame.style.height = `${Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(height)))}px`;
  }

  private tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** The address of a frame; null when it is none. */
function urlOf(address: string): URL | null {
  try {
    const url = new URL(address);
    const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
    return isWeb && ADDRESS.test(url.pathname) ? url : null;
  } catch {
    return null;
  }
}

function frameFor({ href }: URL, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  const spanish = /^es/i.test(document.documentElement.lang || navigator.language);
  frame.title = title || (spanish ? 'Verificación de identidad' : 'Identity verification');
  frame.allow = 'camera';
  frame.referrerPolicy = 'no-referrer';
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  Object.assign(frame.style, { display: 'block', width: '100%', height: `${LEAST_HEIGHT}px`, border: '0' });
  frame.src = href;
  return frame;
}

if (!customElements.get('service-embed')) customElements.define('service-embed', ServiceEmbed);
