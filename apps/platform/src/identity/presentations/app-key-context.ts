/** What the sealed key of a request to wallet apps is bound to. */
export const appKeyContext = (presentationId: string): string => `presentation_app_key:${presentationId}`;
