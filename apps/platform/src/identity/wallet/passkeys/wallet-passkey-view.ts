import { shape, type WalletPasskeyFacts } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { MAX_WALLET_PASSKEYS, type NamedPasskey } from './wallet-passkeys.ts';

/** A key on a device of a person, with which they sign in to their wallet. */
export class WalletPasskeyView implements WalletPasskeyFacts {
  @ApiProperty({ ...shape.id('psk') })
  id: string;

  @ApiProperty({ ...shape.text(60), example: 'Mi celular' })
  name: string;

  @ApiProperty({ description: 'Whether it is kept in an account, and so on several devices.' })
  backed_up: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at: string | null;

  static of({ id, name, backed_up, created_at, last_used_at }: NamedPasskey): WalletPasskeyView {
    return {
      id: typeId('psk', id),
      name,
      backed_up,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    };
  }
}

export class WalletPasskeyList {
  @ApiProperty({ type: [WalletPasskeyView], maxItems: MAX_WALLET_PASSKEYS })
  data: WalletPasskeyView[];
}
