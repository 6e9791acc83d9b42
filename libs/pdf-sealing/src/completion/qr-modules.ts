import { create } from 'qrcode';

/** Modules that must stay white around a code (ISO/IEC 18004, 5.3.8). */
export const QUIET_MODULES = 4;

/** The modules of a QR code that may lose 15 % of itself (level M): rows from the top, `1` for dark, without the quiet zone. */
export function qrModules(text: string): string[] {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules;
  return Array.from({ length: size }, (_, row) =>
    Array.from(data.subarray(row * size, (row + 1) * size), (dark) => (dark ? '1' : '0')).join(''),
  );
}
