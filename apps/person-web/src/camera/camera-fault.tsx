import { Button, Notice, useHostPage } from '@constancia/web';
import { type ReactNode, useEffect } from 'react';
import { useText } from '../text/language.ts';
import type { CameraFault } from './use-camera.ts';

/** Why there is no picture of the camera, and what the person can do. */
export function CameraFaultNotice(props: { fault: CameraFault; onAgain: () => void; children?: ReactNode }) {
  const { text } = useText();
  const host = useHostPage();
  useEffect(() => {
    if (props.fault === 'denied') host?.send('camera_denied', {});
  }, [host, props.fault]);
  return (
    <>
      <Notice tone="warning">{text.camera.faults[props.fault]}</Notice>
      <div className="actions">
        <Button look="primary" onPress={props.onAgain}>
          {text.again}
        </Button>
        {props.children}
      </div>
    </>
  );
}
