import {
  embedMessage,
  type FrameMessage,
  type FrameMessages,
  type HostMessage,
  newEmbedMessage,
} from '@constancia/contracts/embed';

/** What is used of the frame's window. */
export type FrameWindow = Pick<Window, 'parent' | 'addEventListener' | 'removeEventListener'>;

/** The origin of documents that have none, such as a sandboxed frame: a message to `null` reaches nobody. */
const OPAQUE = 'null';

/** The page that holds this frame, once it has introduced itself. Messages of any other window, origin or nonce are ignored. */
export class HostPage {
  /** TypeID of the embed session, as messages name it. */
  session = '';
  private sent = 0;
  private lastSeq: number;
  private readonly listeners = new Map<string, (payload: object) => void>();

  private constructor(
    private readonly frame: FrameWindow,
    readonly origin: string,
    private readonly nonce: string,
    seq: number,
  ) {
    this.lastSeq = seq;
    frame.addEventListener('message', (event) => this.onMessage(event));
  }

  /** Resolves with the first message of the parent that introduces it. */
  static connected(frame: FrameWindow): Promise<HostPage> {
    return new Promise((resolve) => {
      const onMessage = ({ source, origin, data }: MessageEvent): void => {
        const message = source === frame.parent && origin !== OPAQUE ? embedMessage(data) : null;
        if (message?.name !== 'connect') return;
        frame.removeEventListener('message', onMessage);
        resolve(new HostPage(frame, origin, message.nonce, message.seq));
      };
      frame.addEventListener('message', onMessage);
    });
  }

  /** Sends the page a message that no other origin can read. */
  send<Name extends FrameMessage>(name: Name, payload: FrameMessages[Name]): void {
    const { session, nonce } = this;
    const message = newEmbedMessage(name, payload, { session, nonce, seq: ++this.sent });
    this.frame.parent.postMessage(message, this.origin);
  }

  /** Calls back with the payload of every message of a name. */
  on(name: HostMessage, listener: (payload: object) => void): void {
    this.listeners.set(name, listener);
  }

  private onMessage({ source, origin, data }: MessageEvent): void {
    if (source !== this.frame.parent || origin !== this.origin) return;
    const message = embedMessage(data);
    if (message === null || message.nonce !== this.nonce || message.seq <= this.lastSeq) return;
    this.lastSeq = message.seq;
    this.listeners.get(message.name)?.(message.payload);
  }
}
