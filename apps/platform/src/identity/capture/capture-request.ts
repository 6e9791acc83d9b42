import { unknownLink } from '@constancia/embed-sessions';
import { Holder } from '@constancia/http';
import type { PipeTransform } from '@nestjs/common';
import type { CaptureBearer } from '../hosted/capture-tokens.ts';

/** A token that is unknown, expired or ended: the same 404 on every route. */
class KnownBearer implements PipeTransform<CaptureBearer | undefined, CaptureBearer> {
  transform(bearer: CaptureBearer | undefined): CaptureBearer {
    if (bearer === undefined) throw unknownLink();
    return bearer;
  }
}

/** The holder of the token in the link: the bearer token of a capture page, or the token in the path of an embed session. Throws NotFound. */
export const LinkBearer = (): ParameterDecorator => Holder(new KnownBearer());
