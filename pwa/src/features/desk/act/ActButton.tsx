import { useState } from 'react';
import type * as v from 'valibot';
import { Button, type ButtonVariant } from '../../../ui/Button.tsx';
import { ActDialog, type ActDialogProps } from './ActDialog.tsx';

type ActButtonProps<S extends v.GenericSchema> = Omit<ActDialogProps<S>, 'onClose'> & {
  /** The button's text; the dialog's main button has it too. */
  label: string;
  look?: ButtonVariant;
  /** The act that the key e begins on the page; one button has it. */
  isMain?: boolean;
};

/**
 * A button that does an act of the desk: it opens a dialog that asks for the reason, and shows what came of it. See
 * `ActDialog`.
 */
export function ActButton<S extends v.GenericSchema>({ look, isMain, ...act }: ActButtonProps<S>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...(look && { look })} data-main-act={isMain ? '' : undefined} onClick={() => setIsOpen(true)}>
        {act.label}
      </Button>
      {isOpen && <ActDialog {...act} onClose={() => setIsOpen(false)} />}
    </>
  );
}
