const UNITS: Record<string, number> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, k: 1e3, M: 1e6, G: 1e9 };

/** Bytes of a quantity as Kubernetes writes memory; not a number for anything else. */
export function bytes(quantity: string | number | undefined): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|k|M|G|)$/.exec(String(quantity ?? '')) ?? [];
  return amount === undefined ? Number.NaN : Number(amount) * (UNITS[unit ?? ''] as number);
}
