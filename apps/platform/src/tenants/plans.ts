export const PLANS = ['sandbox', 'standard'] as const;
export type Plan = (typeof PLANS)[number];

/** A tenant's unique name. */
export const SLUG = /^[a-z0-9](-?[a-z0-9]){1,39}$/;
