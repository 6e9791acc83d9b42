import { embedPath } from '@constancia/contracts/embed';
import { mount } from '../mount.tsx';
import { EmbeddedPage } from './embedded-page.tsx';
import { openFrame } from './open-frame.ts';

/** `/v1/embed/sessions/{token}/ui`: everything that the frame calls is below the same token. */
const [, , , , token = ''] = location.pathname.split('/');

mount(<EmbeddedPage opening={openFrame(embedPath(token))} />);
