export { loadViewer, type PageSize, sizeOf } from './load-viewer.ts';
export { PageView } from './page-view.tsx';
export { useWidth } from './use-width.ts';
