/** Credits per operation (interface document, "Limits"). */
export const PRICE = { signature: 40, screening: 8, kyc: 80, kycReuse: 32, envelope: 40 } as const;

/** Simulated credits that a sandbox tenant starts with. */
export const SANDBOX_GRANT = 1000;
