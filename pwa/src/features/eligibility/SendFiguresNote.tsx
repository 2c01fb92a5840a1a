import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './Eligibility.module.css';
import { answerSendQuestion } from './send-figures.ts';

const SendButton = () => <Button onClick={() => void answerSendQuestion(true)}>Send to my account</Button>;

/** Asks whether figures of an earlier build may be sent to the account. */
export function SendFiguresNote() {
  return (
    <Note tone="blue" icon="phone">
      <p>
        The figures that you entered earlier are on this phone only. Send them to your account, so that your other
        devices have them?
      </p>
      <div className={css.answers}>
        <SendButton />
        <Button look="plain" onClick={() => void answerSendQuestion(false)}>
          Keep on this phone
        </Button>
      </div>
    </Note>
  );
}

/** The figures that the user keeps on the phone can still be sent. */
export function UnsentFiguresNote() {
  return (
    <Note>
      <p>The figures that you entered earlier stay on this phone only, also when you change them.</p>
      <div className={css.answers}>
        <SendButton />
      </div>
    </Note>
  );
}
