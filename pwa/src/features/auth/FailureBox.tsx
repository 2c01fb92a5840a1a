import { Note } from '../../ui/feedback/Note.tsx';

/** The red box: why the server would not, spoken at once; nothing for ''. */
export function FailureBox({ text }: { text: string }) {
  return (
    text && (
      <Note tone="red" icon="warning" alert>
        {text}
      </Note>
    )
  );
}
