import { logoPath, shape } from '@constancia/contracts';
import { type Background, brandColorUse } from '@constancia/contracts/brand-color';
import { ApiProperty } from '@nestjs/swagger';
import type { TenantLogo } from './tenant-logo.entity.ts';

const COLOR = { type: String, pattern: '^#[0-9a-f]{6}$', maxLength: 7 } as const;
const RATIO = { type: 'number', minimum: 1, maximum: 21 } as const;

export class ContrastView {
  @ApiProperty({ ...RATIO, description: 'With white.' })
  white: number;

  @ApiProperty({ ...RATIO, description: 'With the background of the dark theme.' })
  dark: number;
}

export class BrandColorView {
  @ApiProperty({ ...COLOR, example: '#0b5a55' })
  value: string;

  @ApiProperty({
    enum: ['white', 'dark'],
    isArray: true,
    maxItems: 2,
    description:
      'Backgrounds on which text in this colour can be read (contrast 4.5 or more, WCAG 2.2). Pages use their own colour elsewhere.',
  })
  readable_on: Background[];

  @ApiProperty({ type: ContrastView })
  contrast: ContrastView;

  @ApiProperty({ ...COLOR, description: 'The colour of text on a surface of this colour.' })
  text_on_color: string;
}

export class LogoView {
  @ApiProperty({ format: 'uri', description: 'Public; what it shows never changes. Gone once the logo is replaced.' })
  url: string;

  @ApiProperty(shape.sha256)
  sha256: string;

  @ApiProperty(shape.count(512, 1))
  width: number;

  @ApiProperty(shape.count(512, 1))
  height: number;
}

/** How a tenant shows itself on pages and in mails. */
export class BrandingView {
  @ApiProperty({ type: BrandColorView, nullable: true })
  color: BrandColorView | null;

  @ApiProperty({ type: LogoView, nullable: true })
  logo: LogoView | null;

  static of(color: string | null, logo: LogoRow | null, apiUrl: string): BrandingView {
    return {
      color: color === null ? null : { value: color, ...brandColorUse(color) },
      logo: logo === null ? null : logoView(logo, apiUrl),
    };
  }
}

type LogoRow = Pick<TenantLogo, 'sha256' | 'width' | 'height'>;

export function logoView({ sha256, width, height }: LogoRow, apiUrl: string): LogoView {
  const hash = sha256.toString('hex');
  return { url: `${apiUrl}${logoPath(hash)}`, sha256: hash, width, height };
}
