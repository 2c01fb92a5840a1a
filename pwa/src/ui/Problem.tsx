import { Note } from './feedback/Note.tsx';

/** Why a call failed, announced at once to screen readers; renders nothing without a text. */
export function ErrorText({ text }: { text: string | undefined }) {
  return (
    text && (
      <Note tone="red" icon="warning" alert>
        {text}
      </Note>
    )
  );
}
