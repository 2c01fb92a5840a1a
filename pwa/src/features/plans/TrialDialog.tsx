import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Picture } from '../../ui/pictures/Picture.tsx';
import css from './TrialDialog.module.css';

interface TrialDialogProps {
  onClose: () => void;
  /** Called by Get Started. The parent then removes the dialog. */
  onStart: () => void;
}

/** Explains the free trial in four steps and starts it (SPEC section 2, R60). */
export function TrialDialog({ onClose, onStart }: TrialDialogProps) {
  return (
    <Dialog title={t`Your 7-day free trial`} onClose={onClose}>
      <ol className={css.steps}>
        <li>
          {t`Register with email`}
          <Picture name="mail" />
        </li>
        <li>
          {t`Verify your email with the code we send`}
          <Picture name="code" />
        </li>
        <li>
          {t`Create password`}
          <Picture name="password" />
        </li>
        <li>
          {t`Select state and department preferences`}
          <Picture name="place" />
        </li>
      </ol>
      <p className="s muted">
        <Trans>
          The trial gives you alerts and the offline copy for the state you register. It asks for no card and ends by
          itself.
        </Trans>
      </p>
      <p className="s">
        <Link to="/help#tour">{t`See how it works in three cards`}</Link>
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{t`Got it`}</Button>
        <Button look="main" onClick={onStart}>
          {t`Get Started`}
        </Button>
      </div>
    </Dialog>
  );
}
