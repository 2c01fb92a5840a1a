import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { currentTime } from '../../data/clock.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { OfferLine } from '../../ui/feedback/OfferLine.tsx';
import { countVisit, promptInstall, refuseInstall, useInstall } from './install.ts';
import { shouldOfferInstall } from './install-offer.ts';

const refuse = () => void refuseInstall();

/** The offer to install the app. It is shown after the first bookmark or on the second day. */
export function InstallOffer({ hasBookmark }: { hasBookmark: boolean }) {
  const state = useInstall();
  useEffect(() => void countVisit(), []);

  if (!shouldOfferInstall(state, hasBookmark, currentTime())) return null;
  if (state.way === 'by hand')
    return (
      <OfferLine name="install" icon="home" onRefuse={refuse}>
        <Trans>
          To open without a connection, tap <Icon name="send" small /> Share in the browser, then “Add to Home Screen”
        </Trans>
      </OfferLine>
    );
  return (
    <OfferLine
      name="install"
      icon="home"
      onRefuse={refuse}
      action={
        <Button look="main" onClick={() => void promptInstall()}>
          {t`Install`}
        </Button>
      }
    >
      {t`Opens with one tap, also without a connection`}
    </OfferLine>
  );
}
