/** Options of a request whose body is sent as it is, instead of as JSON. */
export const rawBody = <Body extends Blob | string>(body: Body, mediaType: string) => ({
  body,
  headers: { 'Content-Type': mediaType },
  bodySerializer: (sent: unknown) => sent,
});
