import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { ScrollRestoration, useLocation } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import css from './DashboardLayout.module.css';
import { DashboardNav } from './DashboardNav.tsx';
import { Footer } from './Footer.tsx';
import { OfflineBar } from './OfflineBar.tsx';
import { MainContent, scrollKey } from './PublicLayout.tsx';
import { TopBar, type TopBarProps } from './TopBar.tsx';

interface DashboardLayoutProps extends Omit<TopBarProps, 'header'> {
  /** The signed-in user's name; '' shows 'User' and 'U'. */
  username: string;
  /** Shown beside the link to support, such as the number of unread answers. */
  supportCount?: ReactNode;
}

/** The user's name, with its first letter as the avatar. */
function DashboardOwner({ username }: { username: string }) {
  // The first letter with its vowel sign: दी is one grapheme.
  const name = username.trim() || t`User`;
  const [letter = ''] = name.match(/^\P{M}\p{M}*/u) ?? [];
  return (
    <p className={css.who}>
      <span className={css.avatar} aria-hidden="true">
        {letter.toUpperCase()}
      </span>
      <span className={css.name}>{name}</span>
    </p>
  );
}

/**
 * The frame of the dashboard: a bar with "Dashboard" and the user's name, and the navigation at the left. On
 * a phone the bar replaces the brand, and the navigation unfolds from it. The screen renders the `h1`.
 */
export function DashboardLayout({ username, supportCount, ...topBar }: DashboardLayoutProps) {
  const navigation = useId();
  const isSignedIn = useSession() !== null;
  const { key } = useLocation();
  // A navigation to another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === key;
  const owner = isSignedIn && <DashboardOwner username={username} />;
  const header = (
    <section className={css.header} aria-label={t`Your dashboard`}>
      <button
        type="button"
        className={css.toggle}
        aria-expanded={isOpen}
        aria-controls={navigation}
        onClick={() => setOpenAt(isOpen ? null : key)}
      >
        <Icon name="next" />{' '}
        <Trans>
          Dashboard<span className="sr"> pages</span>
        </Trans>
      </button>
      {owner}
    </section>
  );
  return (
    <div className={css.frame}>
      <a className="skip" href="#main">
        {t`Skip to content`}
      </a>
      <TopBar {...topBar} header={header} />
      <OfflineBar />
      <div className={css.split}>
        <section className={css.bar} aria-label={t`Your dashboard`}>
          <p className={css.title}>{t`Dashboard`}</p>
          {owner}
        </section>
        <div className={css.side} id={navigation} data-open={isOpen || undefined}>
          <DashboardNav {...topBar.account} supportCount={supportCount} />
        </div>
        <MainContent />
      </div>
      <Footer />
      <Toasts />
      <ScrollRestoration getKey={scrollKey} />
    </div>
  );
}
