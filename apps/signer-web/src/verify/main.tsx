import './verify.css';
import { createRoot } from 'react-dom/client';
import { Breakdown } from '../parts/breakdown.tsx';
import { LanguageOfReader } from '../text/language.tsx';
import { VerifyPage } from './verify-page.tsx';

const root = document.getElementById('page');
if (root === null) throw new Error('verify.html has no place for the page');

/** `/verify/{public_id}` shows an envelope; `/verify` takes any sealed file. */
const publicId = /^\/verify\/([^/]+)$/.exec(location.pathname)?.[1] ?? null;

createRoot(root).render(
  <LanguageOfReader>
    <Breakdown>
      <VerifyPage publicId={publicId} />
    </Breakdown>
  </LanguageOfReader>,
);
