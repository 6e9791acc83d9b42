import { useEffect, useState } from 'react';

/** Drawn here: the link goes to nobody. */
export function QrCode({ content, label }: { content: string; label: string }) {
  const [drawn, setDrawn] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let shown = true;
    void import('qrcode').then(({ create }) => {
      const { size, data } = create(content, { errorCorrectionLevel: 'M' }).modules;
      const dark = Array.from(data, (on, at) => (on ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : ''));
      if (shown) setDrawn({ size, path: dark.join('') });
    });
    return () => {
      shown = false;
    };
  }, [content]);
  if (drawn === null) return null;
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`-4 -4 ${drawn.size + 8} ${drawn.size + 8}`}>
      <path d={drawn.path} />
    </svg>
  );
}
