import { t } from '@lingui/core/macro';
import { useEffect, useId, useRef } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import css from './CopyDialog.module.css';

/** Shows a selected text, for a browser that can neither share nor copy. */
export function CopyDialog({ title, text, onClose }: { title: string; text: string; onClose: () => void }) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  // Runs after the dialog has opened and focused its first button.
  useEffect(() => area.current?.focus(), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <label className="s muted" htmlFor={id}>
        {t`Copy this text and paste it into a message.`}
      </label>
      <textarea
        className={css.text}
        id={id}
        readOnly
        rows={10}
        value={text}
        ref={area}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
