export { loadViewer, type PageSize } from './load-viewer.ts';
export { PageView } from './page-view.tsx';
export { useWidth } from './use-width.ts';
