import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { Integrator } from './deployment.fixture.ts';

const COLOR = '#7a1f5c';
const LOGO = { width: 120, height: 40 };

/** The tenant gives itself a colour and a logo. */
export async function giveBrand({ tenantId: id, platform }: Integrator): Promise<void> {
  const params = { path: { id } };
  const png = await sharp({ create: { ...LOGO, channels: 3, background: COLOR } })
    .png()
    .toBuffer();
  const answers = [
    await platform.PATCH('/tenants/{id}', { params, body: { branding: { color: COLOR } } }),
    await platform.PUT('/tenants/{id}/logo', {
      params,
      headers: { 'Content-Type': 'image/png' },
      body: new Blob([new Uint8Array(png)], { type: 'image/png' }),
      bodySerializer: (body: unknown) => body,
    }),
  ];
  for (const { error } of answers) if (error) throw new Error(JSON.stringify(error));
}

/** The page shows the brand: the colour is its accent, and the logo was loaded. */
export async function showsBrand(page: Page): Promise<void> {
  const shown = () =>
    page.evaluate<[string, number | undefined]>(
      `[getComputedStyle(document.documentElement).getPropertyValue('--accent'), document.querySelector('.tenant img')?.naturalWidth]`,
    );
  await expect.poll(shown).toEqual([COLOR, LOGO.width]);
}
