import './styles/page.css';
import { embedTokenIn } from '@constancia/contracts/embed';
import { languageInAddress } from '@constancia/web';
import { signerApi } from './api/signer-api.ts';

/** Of an embed session when its token is in the path: the same page in a frame of a tenant's page. */
const embedToken = embedTokenIn(location.pathname);
if (embedToken === null) openLink();
else void import('./page.tsx').then(({ mountFrame }) => mountFrame(embedToken));

function openLink(): void {
  /** The token stays where it came: in the path of this page and of its requests. */
  const api = signerApi(location.pathname.slice(1));
  /** Requested while the browser still loads and compiles React, which index.html preloads. */
  const firstLook = api.state(languageInAddress());
  firstLook.catch(() => undefined); // JourneyProvider shows the failure; it may come before JourneyProvider is mounted
  void import('./page.tsx').then(({ mountPage }) => mountPage(api, firstLook));
}
