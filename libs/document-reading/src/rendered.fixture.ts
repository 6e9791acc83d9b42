/** Documents for tests: drawn, of invented people, with true barcodes and zones. Import as @constancia/document-reading/rendered. */
export { renderCedulaBack } from './rendered/cedula-card.fixture.ts';
export type { CedulaFields } from './rendered/cedula-card.fixture.ts';
export { renderFront, renderPassportPage, renderTd1Back, td1Lines, td3Lines } from './rendered/mrz-card.fixture.ts';
export type { CardLook, MrzFields, Printed } from './rendered/mrz-card.fixture.ts';
export { photographed } from './rendered/photograph.fixture.ts';
export type { Photography } from './rendered/photograph.fixture.ts';
export { drawnCedula, drawnMrzDocument } from './rendered/variants.fixture.ts';
export type { DrawnDocument } from './rendered/variants.fixture.ts';
