import './look/page.css';
import { signerApi } from './api/signer-api.ts';
import { languageInAddress } from './text/language-in-address.ts';

/** The token stays where it came: in the path of this page and of its requests. */
const api = signerApi(location.pathname.slice(1));

/** Requested while the browser still loads and compiles React, which index.html preloads. */
const firstLook = api.state(languageInAddress());
firstLook.catch(() => undefined); // JourneyOf shows the failure; it may come before JourneyOf is mounted

void import('./page.tsx').then(({ mountPage }) => mountPage(api, firstLook));
