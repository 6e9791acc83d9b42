import type { CaptureKind } from '@constancia/contracts';
import type { TestStack } from '@constancia/testing';
import { WatchedPage } from '@constancia/testing/watched-page';
import type { Page } from 'playwright-core';
import type { FakeCamera } from '../../apps/person-web/e2e/fake-camera.ts';
import { observed, type Observed, observeResources } from '../../apps/person-web/e2e/observed-resources.ts';
import { unexpected } from '../../apps/person-web/e2e/person.ts';
import { SPANISH } from '../../apps/person-web/src/text/spanish.ts';
import type { Integrator } from './deployment.fixture.ts';
import type { Holder } from './identity.fixture.ts';
import type { Video } from './capture-scenes.fixture.ts';

/** A hosted session: its id and the link of its person. */
export interface HostedSession {
  id: string;
  url: string;
}

export async function hostedSession(
  { platform }: Integrator,
  { documentNumber }: Pick<Holder, 'documentNumber'>,
): Promise<HostedSession> {
  const { data, error } = await platform.POST('/v1/flows/sessions', {
    body: { document_type: 'CC', document_number: documentNumber, country: 'CO', hosted: true },
  });
  if (!data?.capture_url) throw new Error(`no hosted session: ${JSON.stringify(error)}`);
  return { id: data.id, url: data.capture_url };
}

/** A person at the capture page of a deployment, whose camera sees what a test plays. */
export class CaptureVisit {
  /** Kinds of the pictures that were sent, in order. */
  readonly sent: CaptureKind[] = [];
  private constructor(
    private readonly camera: FakeCamera,
    readonly watched: WatchedPage,
    private readonly url: string,
    private readonly coming: Video[],
    private attempts: number,
  ) {}

  /**
   * @param videos the first is before the camera, each of the others after a picture of the document was sent and before the next is taken
   * @param attempts selfies that reach the server; the page takes the next one by itself, at once, and that one is held back
   */
  static async open(
    camera: FakeCamera,
    stack: TestStack,
    url: string,
    [first = [], ...coming]: readonly Video[],
    attempts = Infinity,
  ): Promise<CaptureVisit> {
    if (first.length > 0) camera.play(first);
    const secret = new URL(url).hash.slice(1);
    const watched = await WatchedPage.open(camera.browser, {
      viewport: 'phone',
      locale: 'es-CO',
      origin: stack.personUrl,
      secret,
    });
    await watched.context.grantPermissions(['camera'], { origin: stack.personUrl });
    const visit = new CaptureVisit(camera, watched, url, coming, attempts);
    await observeResources(watched.page);
    await visit.watchPictures();
    await watched.page.goto(url);
    return visit;
  }

  get page(): Page {
    return this.watched.page;
  }

  private async watchPictures(): Promise<void> {
    await this.page.route('**/capture/pictures?kind=*', async (route) => {
      const kind = new URL(route.request().url()).searchParams.get('kind') as CaptureKind;
      if (kind === 'selfie' && this.attempts-- <= 0) return; // the page is loaded again before
      this.sent.push(kind);
      const next = kind.startsWith('doc_') ? this.coming.shift() : undefined;
      if (next !== undefined) this.camera.play(next);
      await route.continue();
    });
  }

  async consent(): Promise<void> {
    await this.page.getByLabel(SPANISH.consent.accept).check({ force: true });
    await this.press(SPANISH.consent.submit);
  }

  press = (name: string): Promise<void> => this.page.getByRole('button', { name, exact: true }).click();
  heading = (name: string): Promise<void> => this.page.getByRole('heading', { level: 1, name }).waitFor({ timeout: PATIENT_MS }); // prettier-ignore
  says = (text: string): Promise<void> => this.page.getByText(text).first().waitFor({ timeout: PATIENT_MS });

  /** The page says this of what the camera sees. */
  advises = (advice: string): Promise<void> =>
    this.page.locator(`.said[data-advice="${advice}"]`).waitFor({ timeout: PATIENT_MS });

  /** The same link again, with another thing before the camera, for one more selfie. */
  async again(video: Video): Promise<void> {
    this.camera.play(video);
    this.attempts = 1;
    await this.page.goto('about:blank');
    await this.page.goto(this.url);
  }

  /** What the page holds of camera and pictures. */
  async held(): Promise<Pick<Observed, 'tracks' | 'bitmaps' | 'urls' | 'workers' | 'lost'>> {
    const { tracks, bitmaps, urls, workers, lost } = await observed(this.page);
    return { tracks, bitmaps, urls, workers, lost };
  }

  /** Ends the visit; answers what the page did that it must never do. */
  async close(): Promise<string[]> {
    await this.watched.close();
    return unexpected(this);
  }
}

/** The whole deployment, a browser and other programs share the machine. */
export const PATIENT_MS = 180_000;
