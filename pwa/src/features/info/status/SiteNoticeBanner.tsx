import { t } from '@lingui/core/macro';
import { type SiteNotice, textInLanguage } from '@nivida/contract/site/status';
import { useState } from 'react';
import { useNow } from '../../../data/clock.ts';
import { browserStorage } from '../../../data/device/browser-storage.ts';
import { useSite } from '../../../data/server/site.ts';
import { Button } from '../../../ui/Button.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import css from './SiteNoticeBanner.module.css';

const DISMISSED_KEY = 'dismissed-notice';

/** The operator's line for all users. A user who dismisses it does not see it again on this device. */
export function SiteNoticeBanner() {
  const { notice } = useSite();
  const now = useNow();
  const [dismissed, setDismissed] = useState(() => Number(browserStorage()?.getItem(DISMISSED_KEY)));
  if (!notice || notice.id === dismissed || (notice.ends_at && new Date(notice.ends_at) <= now)) return null;
  const dismiss = () => {
    browserStorage()?.setItem(DISMISSED_KEY, String(notice.id));
    setDismissed(notice.id);
  };
  return <SiteNoticeLine tone={notice.tone} text={textInLanguage(notice.texts)} onDismiss={dismiss} />;
}

interface SiteNoticeLineProps {
  tone: SiteNotice['tone'];
  text: string;
  /** Undefined for a preview, which cannot be dismissed. */
  onDismiss?: () => void;
}

/** The line as all users see it. */
export function SiteNoticeLine({ tone, text, onDismiss }: SiteNoticeLineProps) {
  return (
    <section className={css.notice} data-tone={tone} aria-label={onDismiss && t`Notice`}>
      <p lang={langOf(text)}>{text}</p>
      {onDismiss && (
        <Button look="plain" onClick={onDismiss}>
          {t`Dismiss`}
        </Button>
      )}
    </section>
  );
}
