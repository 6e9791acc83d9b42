import './styles/page.css';
import { signerApi } from './api/signer-api.ts';
import { languageInAddress } from '@constancia/web';

/** The token stays where it came: in the path of this page and of its requests. */
const api = signerApi(location.pathname.slice(1));

/** Requested while the browser still loads and compiles React, which index.html preloads. */
const firstLook = api.state(languageInAddress());
firstLook.catch(() => undefined); // JourneyProvider shows the failure; it may come before JourneyProvider is mounted

void import('./page.tsx').then(({ mountPage }) => mountPage(api, firstLook));
