import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import css from './TrialDialog.module.css';

interface TrialDialogProps {
  onClose: () => void;
  /** Called by Get Started. The parent then removes the dialog. */
  onStart: () => void;
}

/** Explains the free trial in four steps and starts it (SPEC section 2, R60). */
export function TrialDialog({ onClose, onStart }: TrialDialogProps) {
  return (
    <Dialog title="Your 7-day free trial" onClose={onClose}>
      <ol className={css.steps}>
        <li>Register with email</li>
        <li>Verify your email with the code we send</li>
        <li>Create password</li>
        <li>Select state and department preferences</li>
      </ol>
      <p className="s muted">
        The trial gives you alerts and the offline copy for the state you register. It asks for no card and ends by
        itself.
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>Got it</Button>
        <Button look="main" onClick={onStart}>
          Get Started
        </Button>
      </div>
    </Dialog>
  );
}
