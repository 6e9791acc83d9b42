import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import type { OneTimeCodes } from '@constancia/kernel';
import { NotFound, UnprocessableEntity, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { codesLocked } from '../../codes-locked.ts';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { consentCodes, consentRecipient } from '../wallet/wallet-codes.ts';
import { WalletIndex } from '../wallet/wallet-index.ts';
import { WalletMails } from '../wallet/wallet-mails.ts';
import type { ConsentBearer } from './consent-links.ts';
import { ConsentStates } from './consent-states.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';

/**
 * How a person proves that a wallet is theirs: a code to its registered address. What is asked for an address costs the same work, and is
 * answered the same, whether or not it is that of a wallet: that is looked at when the mail is written.
 */
@Injectable()
export class ConsentCodes {
  private readonly codes: OneTimeCodes;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly index: WalletIndex,
    private readonly states: ConsentStates,
    private readonly mails: WalletMails,
  ) {
    this.codes = consentCodes(config);
  }

  /** Throws ValidationError when the address is missing, or the request already knows it. */
  async send(bearer: ConsentBearer, identifier: string | undefined): Promise<void> {
    const row = await this.states.rowOf(bearer);
    const contact = await this.contactOf(row, identifier);
    await this.database.query('select identity.request_consent_code($1, $2, $3)', [
      ...[row.id, contact, await this.index.consentCode(contact)],
    ]);
    this.mails.wake();
  }

  /** The wallet is this browser's from now on. Throws UnprocessableEntity for a wrong code, NotFound after five, RateLimitExceeded. */
  async verify(bearer: ConsentBearer, browser: string, code: string): Promise<void> {
    const row = await this.states.rowOf(bearer);
    const contact = row.contact_index ?? randomBytes(32); // no code was asked for: none is right
    const [checked] = await this.database.query<{
      outcome: 'ok' | 'wrong' | 'locked' | 'gone';
      retry_after: number | null;
    }>('select * from identity.check_consent_code($1, $2, $3, $4, $5)', [
      ...[row.id, contact, await this.index.consentCode(contact)],
      ...[this.codes.hashesOf(consentRecipient(contact, row.id), code), hashSecret(browser)],
    ]);
    switch (checked?.outcome) {
      case 'ok':
        return;
      case 'locked':
        throw codesLocked(checked.retry_after ?? 1);
      case 'gone':
        if (row.contact_index !== null) throw new NotFound();
        break;
    }
    throw new UnprocessableEntity('The code is wrong or has expired. Check it, or ask for another one.');
  }

  private async contactOf({ id, channel }: Presentation, identifier: string | undefined): Promise<Buffer> {
    const fault = (code: string, detail: string) => new ValidationError([{ pointer: '/identifier', code, detail }]);
    if (channel !== 'registered_contact') {
      if (identifier === undefined) throw fault('required', 'Give the address of the wallet.');
      return this.index.contact(identifier);
    }
    if (identifier !== undefined) throw fault('not_allowed', 'The code goes to the registered address.');
    const [row] = await this.database.query<{ contact: Buffer | null }>(
      'select identity.consent_contact($1) as contact',
      [id],
    );
    return row?.contact ?? randomBytes(32); // the wallet was erased: nobody gets a code
  }
}
