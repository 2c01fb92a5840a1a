import { t } from '@lingui/core/macro';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import css from './Dialog.module.css';
import { Icon } from './display/Icon.tsx';

interface DialogProps {
  title: string;
  /**
   * Called by the close button, by Escape, by Android's back button, and by a tap outside. The parent must
   * then remove the dialog.
   */
  onClose: () => void;
  /**
   * The dialog contains input fields: a tap outside, or a text selection that ends outside, does not close
   * it.
   */
  isForm?: boolean;
  children: ReactNode;
}

/** A modal dialog. It is open while it is mounted. The browser traps the focus and restores it. */
export function Dialog({ title, onClose, isForm, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // `close()` restores the focus. It must run before the element is removed from the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the first control, the close button. Its focus ring would draw attention there, for
    // example after a payment.
    if (document.activeElement === closeButton.current) heading.current?.focus();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape
    <dialog
      className={css.dialog}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // At a second close request without a user action in between, the browser closes the dialog itself. The
      // event comes late: the dialog may have been opened again or removed.
      onClose={({ currentTarget }) => currentTarget.isConnected && !currentTarget.open && onClose()}
      // The content fills the dialog, so a click on the dialog element itself is on the backdrop.
      onClick={(event) => !isForm && event.target === event.currentTarget && onClose()}
    >
      <div>
        <header className={css.head}>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Button look="icon" aria-label={t`Close`} ref={closeButton} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </header>
        <div className={`${css.body} stack`}>{children}</div>
      </div>
    </dialog>
  );
}

/** The buttons at the bottom of a dialog. They are always visible; the main button is last and widest. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={css.actions}>{children}</footer>;
}
