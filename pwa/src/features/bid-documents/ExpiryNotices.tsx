import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { markWarningRead, useReadWarnings } from '../../data/bid-documents/expiry-read.ts';
import { documentName, expiringDocuments } from '../../data/bid-documents/vault-document.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import css from './bid-documents.module.css';
import { useVaultDocuments } from './useVault.ts';

/**
 * Documents whose validity ends within 30 days or has ended. The device computes them. Renders nothing
 * without any.
 */
export function ExpiryNotices({ now, isLinked }: { now: Date; isLinked?: boolean }) {
  const isSignedIn = useSession() !== null;
  const documents = useVaultDocuments();
  const hidden = useReadWarnings();
  if (!documents || !hidden) return null;
  const warnings = expiringDocuments(documents, hidden, now).map(({ document, ...rest }) => ({
    ...rest,
    name: documentName(document),
  }));
  if (warnings.length === 0) return null;
  return (
    <section className={css.expiry} aria-label={t`Documents that expire`}>
      {warnings.map(({ name, warning, key, text }) => (
        <Note key={key} tone={warning === 0 ? 'red' : 'amber'} icon="clock">
          <div className={css.top}>
            <span>
              <Trans>
                <b>{name}</b>: {text}. Renew it before the next bid.
              </Trans>{' '}
              {isLinked && isSignedIn && <Link to="/dashboard/documents">{t`Open the vault`}</Link>}
            </span>
            <Button look="plain" onClick={() => void markWarningRead(key)}>
              <Trans>
                Hide<span className="sr"> the warning of {name}</span>
              </Trans>
            </Button>
          </div>
        </Note>
      ))}
    </section>
  );
}
