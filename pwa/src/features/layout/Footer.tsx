import { t } from '@lingui/core/macro';
import { parseUrl } from '@nivida/contract/url';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSite } from '../../data/server/site.ts';
import css from './Footer.module.css';

const legalLinks = () =>
  [
    ['/privacy', t`Privacy`],
    ['/terms', t`Terms`],
    ['/cookies', t`Cookies`],
    ['/refund', t`Refund`],
  ] as const;

/** The displayed name of the other site, such as 'linkedin.com'. */
function hostOf(address: string): string {
  return parseUrl(address)?.hostname.replace(/^www\./, '') ?? address;
}

/**
 * The footer. Legal pages open in a new tab, so that a half-filled form is not lost. `source` is the age of
 * the data; it is shown on wide screens.
 */
export function Footer({ source }: { source?: ReactNode }) {
  const { socialUrl, payments } = useSite();
  const links = legalLinks().filter(([path]) => !(path === '/refund' && payments === 'none'));
  return (
    <footer className={css.foot}>
      <div>
        <p className="muted">
          {t`Nivida is not a government site. Official tender documents are free at the portal that published them; bids are submitted there.`}
        </p>
        <ul>
          <li>
            <Link to="/about">{t`About Us`}</Link>
          </li>
          <li>
            <Link to="/help">{t`Help`}</Link>
          </li>
          <li>
            <Link to="/status">{t`Status`}</Link>
          </li>
          {links.map(([path, name]) => (
            <li key={path}>
              <Link to={path} target="_blank">
                {name}
              </Link>
            </li>
          ))}
          {socialUrl && (
            <li>
              <a href={socialUrl} target="_blank" rel="noopener noreferrer">
                {t`Follow us on ${hostOf(socialUrl)}`}
              </a>
            </li>
          )}
        </ul>
        {source && <p className={`xs muted ${css.source}`}>{source}</p>}
      </div>
    </footer>
  );
}
