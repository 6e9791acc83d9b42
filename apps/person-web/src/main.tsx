import { captureApi } from './api/capture-api.ts';
import { tokenInAddress } from './api/token-in-address.ts';
import { App } from './app.tsx';
import { mount } from './mount.tsx';
import { SessionProvider } from './session/session.tsx';

mount(
  <SessionProvider api={captureApi(tokenInAddress)}>
    <App />
  </SessionProvider>,
);
