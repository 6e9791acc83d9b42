/** Codes that tenants give: of templates, circuits and flows. */
export const CODE = /^[a-z0-9_-]{1,64}$/;
