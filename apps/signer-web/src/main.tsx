import './look/page.css';
import { createRoot } from 'react-dom/client';
import { signerApi } from './api/signer-api.ts';
import { App } from './app.tsx';
import { JourneyOf } from './journey/journey.tsx';
import { Announcements } from './parts/announcements.tsx';
import { Breakdown } from './parts/breakdown.tsx';
import { LanguageOfReader, languageInAddress } from './text/language.tsx';

const root = document.getElementById('page');
if (root === null) throw new Error('index.html has no place for the page');

/** The token stays where it came: in the path of this page and of its requests. */
const api = signerApi(location.pathname.slice(1));
const firstLook = api.state(languageInAddress());
firstLook.catch(() => undefined); // JourneyOf shows the failure; it may come before JourneyOf is mounted

createRoot(root).render(
  <LanguageOfReader>
    <Announcements>
      <Breakdown>
        <JourneyOf api={api} firstLook={firstLook}>
          <App />
        </JourneyOf>
      </Breakdown>
    </Announcements>
  </LanguageOfReader>,
);
