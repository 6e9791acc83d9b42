/** A credential or presentation may not be larger than this, its disclosures and its key binding included. */
export const MAX_CREDENTIAL_BYTES = 32_768;

/** Of these, what a credential leaves for the key binding of a presentation. */
export const KEY_BINDING_BYTES = 1_024;

/** A credential may not have more disclosures than this. */
export const MAX_DISCLOSURES = 64;
