import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('page') as HTMLElement).render(<main />);
