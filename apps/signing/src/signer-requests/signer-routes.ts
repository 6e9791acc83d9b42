import { AlsoOnPageHost, ApiPublicProblems, PathCredential } from '@constancia/http';
import type { ProblemSlug } from '@constancia/contracts';
import { applyDecorators, Controller } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { BROWSER_TOKEN } from './browser-tokens.ts';
import { SignState } from './sign-state-view.ts';

/** A controller below /v1/sign/{token}, on the API's host and on that of the pages. */
export const SIGN_PATH = 'v1/sign/:token';

/** A route of a signer: the token of the link in its path is the credential. Beside `slugs` it answers 404 to every other token. */
export function SignerRoute(...slugs: ProblemSlug[]): MethodDecorator {
  return applyDecorators(
    PathCredential('token'),
    AlsoOnPageHost(),
    ApiParam({
      name: 'token',
      description:
        'The last segment of the link that the signer was sent. Unknown, replaced and expired ones, and those of voided envelopes, ' +
        'get the same 404.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
    }),
    ApiHeader({
      name: 'X-Sign-Proof',
      required: false,
      description:
        'The proof of authentication (`proof.token` of otp/verify, access-code or identity/complete). The page on the sign host has it as a cookie instead.',
      schema: { type: 'string', pattern: BROWSER_TOKEN.source },
    }),
    ApiPublicProblems('not-found', 'dependency-unavailable', ...slugs),
  );
}

/** A route for the browser that started the check of an identity: it sends its claim. */
export function AcceptsClaim(): MethodDecorator {
  return ApiHeader({
    name: 'X-Identity-Claim',
    required: false,
    description: 'The claim (`claim.token` of identity). The page on the sign host has it as a cookie instead.',
    schema: { type: 'string', pattern: BROWSER_TOKEN.source },
  });
}

/** A use case of the public signer endpoints. */
export function SignerController(): ClassDecorator {
  return applyDecorators(Controller(SIGN_PATH), ApiTags('Signers'));
}

/** The answer is how the signer stands afterwards. */
export function AnswersState(): MethodDecorator {
  return ApiOkResponse({ type: SignState, description: 'How the signer stands.' });
}
