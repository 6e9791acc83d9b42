import type { Additions, Drawing } from './drawing.ts';

/** Additions as JSON carries them: a picture is the place of its bytes among the attachments. */
export type AdditionsOnWire = Additions<number>;

/** Takes the pictures out. One that is drawn several times goes once. */
export function detached(additions: Additions): { additions: AdditionsOnWire; attachments: Uint8Array[] } {
  const places = new Map<Uint8Array, number>();
  const place = (bytes: Uint8Array) => {
    if (!places.has(bytes)) places.set(bytes, places.size);
    return places.get(bytes) as number;
  };
  return { additions: carrying(additions, place), attachments: [...places.keys()] };
}

/** Puts them back. */
export function attached(additions: AdditionsOnWire, attachments: readonly Uint8Array[]): Additions {
  return carrying(additions, (place) => attachments[place] as Uint8Array);
}

function carrying<From, To>({ drawings, pages, banner }: Additions<From>, bytes: (from: From) => To): Additions<To> {
  const one = <D extends Drawing<From>>(drawing: D) =>
    drawing.kind === 'image' ? { ...drawing, bytes: bytes(drawing.bytes) } : drawing;
  return {
    drawings: drawings.map(one) as Additions<To>['drawings'],
    banner,
    pages: pages?.map((page) => ({ ...page, drawings: page.drawings.map(one) as Drawing<To>[] })),
  };
}
