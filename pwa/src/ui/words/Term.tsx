import { type ReactNode, useId, useState } from 'react';
import css from './Term.module.css';
import type { ExplainedWord } from './WordMeaning.tsx';

interface TermProps {
  /** The word as the text has it. */
  form: string;
  /** A short explanation, which is shown until the full one is loaded. */
  meaning?: string | undefined;
  /** Loads the full explanation when the word is opened. */
  load: () => Promise<ExplainedWord>;
}

/**
 * A word that is explained at a tap. The browser opens and closes the explanation and moves the focus, so `meaning` is
 * shown also before the app's code has loaded.
 */
export function Term({ form, meaning, load }: TermProps) {
  const id = useId();
  const [full, setFull] = useState<ReactNode>();
  async function loadFull() {
    const [{ WordMeaning }, word] = await Promise.all([import('./WordMeaning.tsx'), load()]);
    setFull(<WordMeaning word={word} />);
  }
  return (
    <>
      <button type="button" className={css.term} data-label="" popoverTarget={id}>
        {form}
      </button>
      <span
        id={id}
        popover="auto"
        className={css.meaning}
        // When it cannot be loaded, the short one stays.
        onToggle={() => !full && loadFull().catch(() => undefined)}
      >
        {full ??
          (meaning && (
            <>
              <b>{form}</b> {meaning}
            </>
          ))}
      </span>
    </>
  );
}
