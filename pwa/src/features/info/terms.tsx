/** The terms of service. A user who registers accepts the version with this date. */
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, OperatorDetails, SiteMailLink } from './SiteFacts.tsx';

export const termsSections = (): readonly LegalSection[] => [
  {
    id: 'agreement',
    title: t`What these terms are`,
    body: (
      <>
        <OperatorDetails />
        <p>
          <Trans>
            By using Nivida you accept these terms; registering asks you to agree to them expressly. A person who acts
            for a company says by this that they may.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'not-government',
    title: t`Not a government site`,
    body: (
      <p>
        <Trans>
          Nivida belongs to no government and acts for none. Bids are submitted at the portal that published the tender,
          with your own registration and digital signature there; Nivida never submits a bid.
        </Trans>
      </p>
    ),
  },
  {
    id: 'information',
    title: t`Information about tenders`,
    body: (
      <>
        <p>
          <Trans>
            We collect notices from public portals and put them into one form. Portals change dates and documents,
            sometimes on the last day; copies on your device can be older still, and say how old they are. District,
            department and groupings are partly derived by us.{' '}
            <strong>Before you bid, check the portal: what it says counts.</strong>
          </Trans>
        </p>
        <p>
          <Trans>
            Reminders help; they do not replace your own calendar. A phone can be without a connection, and a
            notification can come late or not at all.
          </Trans>
        </p>
        <p>{t`Nothing on Nivida is legal, financial or technical advice.`}</p>
      </>
    ),
  },
  {
    id: 'accounts',
    title: t`Accounts`,
    body: (
      <ul>
        <li>{t`You are at least 18 years old.`}</li>
        <li>{t`What you give at registration is true, and you keep it up to date.`}</li>
        <li>
          <Trans>
            You keep your password to yourself; what is done with your account counts as yours until you tell us.
          </Trans>
        </li>
        <li>{t`You can delete the account in Settings at any time; it is erased 7 days later.`}</li>
        <Sold>
          <li>{t`The trial of 7 days is given once for an e-mail address and a mobile number.`}</li>
        </Sold>
      </ul>
    ),
  },
  {
    id: 'documents',
    title: t`Document packages`,
    body: (
      <>
        <p>
          <Trans>
            Official tender documents are free at the portal that published them.{' '}
            <Sold>
              The fee of ₹99 buys our service of collecting, bundling and delivering them for one notice (NIT). All
              works of the same notice are included.
            </Sold>
          </Trans>
        </p>
        <p>
          <Trans>
            <Sold>
              A package is sold only when we can deliver it. It comes as a download link by e-mail, valid for 7 days,
              and can be sent again.{' '}
            </Sold>
            Documents stay as the authority published them; a BOQ must be filled in the authority’s own file.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'plans',
    isAboutSales: true,
    title: t`Plans`,
    body: (
      <>
        <p>
          <Trans>
            Searching, reading, bookmarks with their reminders, saved searches and states saved on the device are free.
            What the <Link to="/pricing">three plans</Link> add, and what they cost, stands on their page; what is
            marked “Coming soon” there is not part of what you buy today.
          </Trans>
        </p>
        <ul>
          <li>{t`A plan runs for one year from payment and does not renew by itself.`}</li>
          <li>{t`Its states are chosen when you buy and can be changed once in 30 days.`}</li>
          <li>
            <Trans>
              Downloads per month are counted by the Indian calendar month; the same notice again in a month is not
              counted.
            </Trans>
          </li>
          <li>
            <Trans>“Unlimited” is for your own bidding: 200 packages a day with Premium, 500 with Enterprise.</Trans>
          </li>
          <li>{t`Buying the same plan again adds a year at its end.`}</li>
          <li>{t`A larger plan starts at once; the old one ends then, and its rest is not credited.`}</li>
        </ul>
      </>
    ),
  },
  {
    id: 'payment',
    isAboutSales: true,
    title: t`Prices and payment`,
    body: (
      <p>
        <Trans>
          Prices are in Indian rupees and include taxes. You pay on the page of a payment provider.{' '}
          <strong>All payments are non-refundable</strong>, except duplicate debits and packages that could not be
          delivered, which are refunded automatically: see the <Link to="/refund">refund policy</Link>.
        </Trans>
      </p>
    ),
  },
  {
    id: 'use',
    title: t`Fair use`,
    body: (
      <>
        <p>{t`You do not`}</p>
        <ul>
          <li>{t`copy the collection as a whole in order to offer it elsewhere, or pass on packages,`}</li>
          <li>{t`burden the service with automatic requests beyond what the app itself makes,`}</li>
          <li>{t`try to get at other people’s data or around limits,`}</li>
          <li>{t`use another person’s name, number or address.`}</li>
        </ul>
        <p>{t`We may slow down, suspend or close an account that does, and tell you why.`}</p>
      </>
    ),
  },
  {
    id: 'rights',
    title: t`Whose texts these are`,
    body: (
      <p>
        <Trans>
          Notices and documents belong to the authorities that published them. The name, look and own texts of Nivida
          belong to us.
        </Trans>
      </p>
    ),
  },
  {
    id: 'liability',
    title: t`What we answer for`,
    body: (
      <>
        <p>
          <Trans>
            We work with care and mend what is wrong, but we do not promise that the service is always there or that
            every notice is complete. We do not answer for a bid that was lost, late or rejected.{' '}
            <Sold free={t`As far as the law allows, we owe no damages for a service that is free.`}>
              As far as the law allows, what we owe in damages is limited to what you paid us in the twelve months
              before.
            </Sold>
          </Trans>
        </p>
        <p>
          <Trans>
            These terms do not limit your rights as a consumer, or anything that the law does not let us limit.
          </Trans>
        </p>
      </>
    ),
  },
  {
    id: 'changes',
    title: t`Changes`,
    body: (
      <p>
        <Trans>
          New terms get a new date here.{' '}
          <Sold>
            Plans already paid run to their end under the terms they were bought under, unless a law asks otherwise.
          </Sold>
        </Trans>
      </p>
    ),
  },
  {
    id: 'law',
    title: t`Law and courts`,
    body: (
      <p>
        <Trans>
          The law of India applies, and the courts of India decide. Consumers may go to the consumer commission where
          they live.
        </Trans>
      </p>
    ),
  },
  {
    id: 'grievance',
    title: t`Complaints and contact`,
    body: (
      <>
        <p>
          <Trans>
            Questions go to <SiteMailLink to="supportEmail" />.
          </Trans>
        </p>
        <GrievanceOfficer />
      </>
    ),
  },
];
