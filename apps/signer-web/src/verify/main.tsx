import { createRoot } from 'react-dom/client';
import { VerifyPage } from './verify-page.tsx';
import './verify.css';

/** `/verify/{public_id}` shows an envelope; `/verify` takes any sealed file. */
const publicId = /^\/verify\/([^/]+)\/?$/.exec(location.pathname)?.[1] ?? null;

createRoot(document.getElementById('page') as HTMLElement).render(<VerifyPage publicId={publicId} />);
