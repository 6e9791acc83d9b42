import { Notice } from '@constancia/web';
import { useState } from 'react';
import { useText } from '../text/language.ts';
import { pictureIn } from './picture.ts';

/** A picture that was taken before, where the flow allows it. */
export function FileInstead({ onPicture }: { onPicture: (picture: Blob) => void }) {
  const { text } = useText();
  const [failed, setFailed] = useState(false);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    setFailed(false);
    pictureIn(file).then(onPicture, () => setFailed(true));
  };
  return (
    <>
      <label className="button file">
        {text.camera.file}
        <input
          type="file"
          accept="image/*"
          className="unseen"
          onChange={({ target }) => {
            take(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
      {failed && <Notice tone="error">{text.retry.not_an_image}</Notice>}
    </>
  );
}
