import { useEffect, useId } from 'react';
import { currentTime } from '../../data/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, Logo } from '../../ui/display/Icon.tsx';
import { useToast } from '../../ui/feedback/toast.ts';
import css from './InstallOffer.module.css';
import { countVisit, promptInstall, refuseInstall, useInstall } from './install.ts';
import { shouldOfferInstall } from './install-offer.ts';

/**
 * The offer to install the app, after the first bookmark or on the second day. It overlays the foot of the page, so the
 * layout does not shift. A toast has priority.
 */
export function InstallOffer({ hasBookmark }: { hasBookmark: boolean }) {
  const state = useInstall();
  const hasMessage = useToast(({ current }) => current !== undefined);
  const title = useId();
  useEffect(() => void countVisit(), []);

  if (hasMessage || !shouldOfferInstall(state, hasBookmark, currentTime())) return null;
  return (
    <aside className={css.offer} aria-labelledby={title}>
      <div className={css.words}>
        <Logo />
        <div>
          <h2 id={title}>Keep Nivida on the home screen</h2>
          {state.way === 'prompt' ? (
            <p className="s muted">Opens with one tap, also without signal.</p>
          ) : (
            <p className="s muted">
              Tap <Icon name="send" small /> Share in the browser, then “Add to Home Screen”. Opens with one tap, also
              without signal.
            </p>
          )}
        </div>
      </div>
      <div className="row">
        {state.way === 'prompt' && (
          <Button look="main" onClick={() => void promptInstall()}>
            Install
          </Button>
        )}
        <Button look={state.way === 'prompt' ? 'plain' : undefined} onClick={() => void refuseInstall()}>
          {state.way === 'prompt' ? 'Not now' : 'Got it'}
        </Button>
      </div>
    </aside>
  );
}
