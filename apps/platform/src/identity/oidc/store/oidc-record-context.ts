/** What a sealed payload of the OpenID provider is bound to. */
export const oidcRecordContext = (model: string, idHash: Buffer): string => `oidc:${model}:${idHash.toString('hex')}`;
