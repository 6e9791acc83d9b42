export interface paths {}
export interface components {}
