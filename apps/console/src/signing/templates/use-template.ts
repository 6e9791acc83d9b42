import { useRecord } from '../../member/queries.ts';

export const TEMPLATES = ['templates'];

export const useTemplate = (id: string) =>
  useRecord([...TEMPLATES, id], ({ signing }) => signing.GET('/v1/templates/{id}', { params: { path: { id } } }));

/** The PDF as it was uploaded. */
export const useTemplatePdf = (id: string) =>
  useRecord([...TEMPLATES, id, 'pdf'], ({ signing }) =>
    signing.GET('/v1/templates/{id}/document', { params: { path: { id } }, parseAs: 'blob' }),
  );
