import { StateConflict } from '@constancia/problem-json';
import { Body, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Equals, IsBoolean, IsIn, IsString, Length } from 'class-validator';
import { CONSENT_VERSION, consentText } from '../signer-requests/consent-texts.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { SignState } from '../signer-requests/sign-state-view.ts';
import { isProven } from '../signer-requests/next-step.ts';
import { authenticatedEarlier } from '../signer-requests/proof-outcome.ts';
import { moved, requireAllowed, SignerRequests, standingOf, witnessed } from '../signer-requests/signer-requests.ts';
import { AnswersState, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

export class ConsentBody {
  @ApiProperty({ description: 'Who does not accept declines instead.' })
  @IsBoolean()
  @Equals(true, { message: 'must be true: who does not accept declines instead' })
  accepted: boolean;

  @ApiProperty({ enumName: 'EnvelopeLocale', description: 'The language of the text that was read.' })
  @IsIn(ENVELOPE_LOCALES)
  locale: EnvelopeLocale;

  @ApiProperty({ description: 'The version of the text that was read.', example: CONSENT_VERSION })
  @IsString()
  @Length(1, 40)
  version: string;
}

/** POST /v1/sign/{token}/consent: the signer agrees to sign by electronic means. Which text it was is evidence. */
@SignerController()
export class GiveConsent {
  constructor(private readonly requests: SignerRequests) {}

  @Post('consent')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'giveConsent',
    summary: 'Agree to sign electronically',
    description:
      'Version, language and hash of the text are kept as evidence. A version that is no longer the present one: 409.',
  })
  @AnswersState()
  @SignerRoute('state-conflict')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Body() { locale, version }: ConsentBody,
  ): Promise<SignState> {
    const facts = await this.requests.serveState(found, async (tx, held) => {
      requireAllowed(held, 'consent');
      const text = consentText(locale);
      if (version !== text.version) throw outdated(text.version);
      const { signer } = held;
      const sha256 = Buffer.from(text.sha256, 'hex');
      const columns = { consent_version: version, consent_locale: locale, consent_sha256: sha256 };
      const consented = await moved(tx, signer, 'consent', { ...columns, consented_at: new Date() });
      if (isProven(standingOf(held))) await authenticatedEarlier(tx, consented, found.facts);
      await witnessed(tx, held, visitor, 'signer.consented', { version, locale, sha256: text.sha256 });
      return {};
    });
    return SignState.of(facts, locale);
  }
}

function outdated(version: string): StateConflict {
  return new StateConflict(`The text has changed: show version ${version} (GET) and ask again.`, { version });
}
