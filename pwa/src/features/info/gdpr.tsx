/** The data protection page: the DPDP Act for everyone in India, the GDPR for people in the European Union. */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { currentLanguage } from '@nivida/contract/i18n';
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { HindiNotice } from './HindiNotice.tsx';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, SiteMailLink } from './SiteFacts.tsx';

/** The date of this version. */
export const GDPR_DATE = '2026-11-21';

export const gdprSections = (): readonly LegalSection[] => [
  {
    id: 'officer',
    title: t`Data protection officer`,
    body: (
      <p>
        <Trans>
          Our data protection officer answers questions about your data: <SiteMailLink to="dpoEmail" />.
        </Trans>
      </p>
    ),
  },
  {
    id: 'notice',
    title: t`What data, for what, and on what basis`,
    body: (
      <>
        <p>
          <Trans>The notice that the DPDP Act asks for, item by item. The basis under the GDPR stands last.</Trans>
        </p>
        <dl>
          <dt>
            <Trans>Name, e-mail, mobile number, password, company, state, districts, departments, address</Trans>
          </dt>
          <dd>{t`To run your account. Your consent at registration; contract, Article 6(1)(b).`}</dd>
          <dt>{t`Bookmarks, saved searches, followed offices, alert settings`}</dt>
          <dd>
            <Trans>
              To keep your devices alike and to find what to tell you. Your consent; contract, Article 6(1)(b).
            </Trans>
          </dd>
          <dt>{t`Address and keys of the browser’s push service`}</dt>
          <dd>{t`To notify you. Your consent, by device; consent, Article 6(1)(a).`}</dd>
          <Sold>
            <dt>{t`Orders, contact and state of the buyer, GSTIN`}</dt>
            <dd>
              <Trans>
                To deliver and to write receipts and invoices. Your order and tax law; contract and legal obligation,
                Article 6(1)(b) and (c).
              </Trans>
            </dd>
          </Sold>
          <dt>{t`Messages you send us`}</dt>
          <dd>{t`To answer them. Given by you for this purpose; legitimate interest, Article 6(1)(f).`}</dd>
          <dt>{t`Server logs: time, address asked for, IP address, browser`}</dt>
          <dd>
            <Trans>
              Safety and finding faults, kept 1 year. Legal obligation; legitimate interest, Article 6(1)(c) and (f).
            </Trans>
          </dd>
        </dl>
        <p>
          <Trans>
            No decision about you is made by a machine alone. Each period of keeping stands in the{' '}
            <Link to={{ pathname: '/privacy', hash: 'retention' }}>privacy policy</Link>.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'dpdp',
    title: t`Your rights in India (DPDP Act 2023)`,
    body: (
      <ul>
        <li>
          <Trans>
            <strong>Access</strong> (section 11): a summary of your data, what is done with it and who received it.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Correction and erasure</strong> (section 12): also completing and updating.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Grievance redressal</strong> (section 13): by our grievance officer first.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Nomination</strong> (section 14): a person who uses your rights after your death or when you cannot.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Withdrawal of consent</strong> (section 6): at any time, as easily as it was given.
          </Trans>
        </li>
        <li>
          <Trans>
            <strong>Complaint</strong> to the Data Protection Board of India, after the grievance officer has had the
            chance to help.
          </Trans>
        </li>
      </ul>
    ),
  },
  {
    id: 'gdpr',
    title: t`Your rights in the European Union (GDPR)`,
    body: (
      <>
        <ul>
          <li>{t`access to your data and a copy of them (Article 15)`}</li>
          <li>{t`correction, erasure, restriction (Articles 16 to 18)`}</li>
          <li>{t`your data in a form that other services can read (Article 20)`}</li>
          <li>{t`objection to what rests on legitimate interest (Article 21)`}</li>
          <li>{t`withdrawal of a consent at any time (Article 7)`}</li>
          <li>
            <Trans>complaint to the supervisory authority of the place where you live or work (Article 77)</Trans>
          </li>
        </ul>
        <p>
          <Trans>
            Nivida is made for bidders in India and run for them; using it from elsewhere means that data go to India.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'how',
    title: t`How to use your rights`,
    body: (
      <>
        <ul>
          <li>
            <Trans>
              <strong>Download your data:</strong> Settings, at once.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Correct:</strong> Profile, at once; a new e-mail address after you have verified it.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Delete the account:</strong> Settings. It is erased after 7 days;{' '}
              <Sold>receipts and invoices stay as long as tax law demands, </Sold>logs stay 1 year.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Withdraw a consent:</strong> the same switch that gave it: alerts by device and by search,
              notifications also in the browser.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Everything else,</strong> or without an account: write to <SiteMailLink to="dpoEmail" />. We make
              sure that it is you who asks, and answer within one month.
            </Trans>
          </li>
        </ul>
        <p>{t`Using a right costs nothing.`}</p>
      </>
    ),
  },
  // In Hindi the sections above are the notice.
  ...(currentLanguage() === 'hi' ? [] : [{ id: 'hindi', title: t`Notice in Hindi`, body: <HindiNotice /> }]),
  { id: 'grievance', title: t`Complaints`, body: <GrievanceOfficer /> },
];
