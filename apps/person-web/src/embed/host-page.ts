import {
  embedMessage,
  type FrameMessage,
  type FrameMessages,
  type HostMessage,
  newEmbedMessage,
} from '@constancia/contracts/embed';

/** What is used of the frame's window. */
export type FrameWindow = Pick<Window, 'parent' | 'addEventListener' | 'removeEventListener'>;

/** An origin that no message can be sent to alone. */
const OPAQUE = 'null';

/** The page that holds this frame, once it has introduced itself. Messages of any other window, origin or nonce are ignored. */
export class HostPage {
  /** TypeID of the embed session, as messages name it. */
  session = '';
  private sent = 0;
  private heard: number;
  private readonly listeners = new Map<string, (payload: object) => void>();

  private constructor(
    private readonly frame: FrameWindow,
    readonly origin: string,
    private readonly nonce: string,
    seq: number,
  ) {
    this.heard = seq;
    frame.addEventListener('message', (event) => this.hear(event));
  }

  /** Resolves with the first message of the parent that introduces it. */
  static connected(frame: FrameWindow): Promise<HostPage> {
    return new Promise((resolve) => {
      const hear = ({ source, origin, data }: MessageEvent): void => {
        const message = source === frame.parent && origin !== OPAQUE ? embedMessage(data) : null;
        if (message?.name !== 'connect') return;
        frame.removeEventListener('message', hear);
        resolve(new HostPage(frame, origin, message.nonce, message.seq));
      };
      frame.addEventListener('message', hear);
    });
  }

  /** Tells the page something; no other origin can read it. */
  send<Name extends FrameMessage>(name: Name, payload: FrameMessages[Name]): void {
    const { session, nonce } = this;
    const message = newEmbedMessage(name, payload, { session, nonce, seq: ++this.sent });
    this.frame.parent.postMessage(message, this.origin);
  }

  /** Calls back with what the page says under a name. */
  on(name: HostMessage, listener: (payload: object) => void): void {
    this.listeners.set(name, listener);
  }

  private hear({ source, origin, data }: MessageEvent): void {
    if (source !== this.frame.parent || origin !== this.origin) return;
    const message = embedMessage(data);
    if (message === null || message.nonce !== this.nonce || message.seq <= this.heard) return;
    this.heard = message.seq;
    this.listeners.get(message.name)?.(message.payload as object);
  }
}
