import { Note } from './feedback/Note.tsx';

/** Why a press did not work, spoken at once to screen readers; nothing when it did. */
export function ErrorText({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Note tone="red" icon="warning" alert>
      {text}
    </Note>
  );
}
