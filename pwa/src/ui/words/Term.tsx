import { t } from '@lingui/core/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { OPEN_POPOVER } from '../open-popover.ts';
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
  const popover = useRef<HTMLSpanElement>(null);
  const [full, setFull] = useState<ReactNode>();
  const [hasFailed, setFailed] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  async function loadFull() {
    setOpened(true);
    setFailed(false);
    try {
      const [{ WordMeaning }, word] = await Promise.all([import('./WordMeaning.tsx'), load()]);
      setFull(<WordMeaning word={word} />);
    } catch {
      setFailed(true);
    }
  }
  const loadOnce = () => full === undefined && void loadFull();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a word that was opened before the app's code ran
  useEffect(() => {
    if (popover.current?.matches(OPEN_POPOVER)) loadOnce();
  }, []);
  const failure = hasFailed && t`This could not be loaded. Please check your internet connection.`;
  const short = meaning ?? (wasOpened && (failure || t`Loading…`));
  return (
    <>
      <button type="button" className={css.term} data-label="" popoverTarget={id}>
        {form}
      </button>
      <span
        ref={popover}
        id={id}
        popover="auto"
        role={wasOpened ? 'status' : undefined}
        className={css.meaning}
        onToggle={({ newState }) => newState === 'open' && loadOnce()}
      >
        {full ??
          (short && (
            <>
              <b>{form}</b> {short}
            </>
          ))}
      </span>
    </>
  );
}
