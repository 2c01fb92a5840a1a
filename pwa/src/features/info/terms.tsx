/** The terms of service. A user who registers accepts the version with this date. */
import { Link } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import type { LegalSection } from './LegalPage.tsx';
import { GrievanceOfficer, OperatorDetails, SiteMailLink } from './SiteFacts.tsx';

export const TERMS_SECTIONS: readonly LegalSection[] = [
  {
    id: 'agreement',
    title: 'What these terms are',
    body: (
      <>
        <OperatorDetails />
        <p>
          By using Nivida you accept these terms; registering asks you to agree to them expressly. A person who acts for
          a company says by this that they may.
        </p>
      </>
    ),
  },
  {
    id: 'not-government',
    title: 'Not a government site',
    body: (
      <p>
        Nivida belongs to no government and acts for none. Bids are submitted at the portal that published the tender,
        with your own registration and digital signature there; Nivida never submits a bid.
      </p>
    ),
  },
  {
    id: 'information',
    title: 'Information about tenders',
    body: (
      <>
        <p>
          We collect notices from public portals and put them into one form. Portals change dates and documents,
          sometimes on the last day; copies on your device can be older still, and say how old they are. District,
          department and groupings are partly derived by us.{' '}
          <strong>Before you bid, check the portal: what it says counts.</strong>
        </p>
        <p>
          Reminders help; they do not replace your own calendar. A phone can be without a connection, and a notification
          can come late or not at all.
        </p>
        <p>Nothing on Nivida is legal, financial or technical advice.</p>
      </>
    ),
  },
  {
    id: 'accounts',
    title: 'Accounts',
    body: (
      <ul>
        <li>You are at least 18 years old.</li>
        <li>What you give at registration is true, and you keep it up to date.</li>
        <li>You keep your password to yourself; what is done with your account counts as yours until you tell us.</li>
        <li>You can delete the account in Settings at any time; it is erased 7 days later.</li>
        <Sold>
          <li>The trial of 7 days is given once for an e-mail address and a mobile number.</li>
        </Sold>
      </ul>
    ),
  },
  {
    id: 'documents',
    title: 'Document packages',
    body: (
      <>
        <p>
          Official tender documents are free at the portal that published them.{' '}
          <Sold>
            The fee of ₹99 buys our service of collecting, bundling and delivering them for one notice (NIT). All works
            of the same notice are included.
          </Sold>
        </p>
        <p>
          <Sold>
            A package is sold only when we can deliver it. It comes as a download link by e-mail, valid for 7 days, and
            can be sent again.{' '}
          </Sold>
          Documents stay as the authority published them; a BOQ must be filled in the authority’s own file.
        </p>
      </>
    ),
  },
  {
    id: 'plans',
    isAboutSales: true,
    title: 'Plans',
    body: (
      <>
        <p>
          Searching, reading, bookmarks with their reminders, saved searches and states saved on the device are free.
          What the <Link to="/pricing">three plans</Link> add, and what they cost, stands on their page; what is marked
          “Coming soon” there is not part of what you buy today.
        </p>
        <ul>
          <li>A plan runs for one year from payment and does not renew by itself.</li>
          <li>Its states are chosen when you buy and can be changed once in 30 days.</li>
          <li>
            Downloads per month are counted by the Indian calendar month; the same notice again in a month is not
            counted.
          </li>
          <li>“Unlimited” is for your own bidding: 200 packages a day with Premium, 500 with Enterprise.</li>
          <li>Buying the same plan again adds a year at its end.</li>
          <li>A larger plan starts at once; the old one ends then, and its rest is not credited.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'payment',
    isAboutSales: true,
    title: 'Prices and payment',
    body: (
      <p>
        Prices are in Indian rupees and include taxes. You pay on the page of a payment provider.{' '}
        <strong>All payments are non-refundable</strong>, except duplicate debits and packages that could not be
        delivered, which are refunded automatically: see the <Link to="/refund">refund policy</Link>.
      </p>
    ),
  },
  {
    id: 'use',
    title: 'Fair use',
    body: (
      <>
        <p>You do not</p>
        <ul>
          <li>copy the collection as a whole in order to offer it elsewhere, or pass on packages,</li>
          <li>burden the service with automatic requests beyond what the app itself makes,</li>
          <li>try to get at other people’s data or around limits,</li>
          <li>use another person’s name, number or address.</li>
        </ul>
        <p>We may slow down, suspend or close an account that does, and tell you why.</p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'Whose texts these are',
    body: (
      <p>
        Notices and documents belong to the authorities that published them. The name, look and own texts of Nivida
        belong to us.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'What we answer for',
    body: (
      <>
        <p>
          We work with care and mend what is wrong, but we do not promise that the service is always there or that every
          notice is complete. We do not answer for a bid that was lost, late or rejected.{' '}
          <Sold free="As far as the law allows, we owe no damages for a service that is free.">
            As far as the law allows, what we owe in damages is limited to what you paid us in the twelve months before.
          </Sold>
        </p>
        <p>These terms do not limit your rights as a consumer, or anything that the law does not let us limit.</p>
      </>
    ),
  },
  {
    id: 'changes',
    title: 'Changes',
    body: (
      <p>
        New terms get a new date here.{' '}
        <Sold>
          Plans already paid run to their end under the terms they were bought under, unless a law asks otherwise.
        </Sold>
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Law and courts',
    body: (
      <p>
        The law of India applies, and the courts of India decide. Consumers may go to the consumer commission where they
        live.
      </p>
    ),
  },
  {
    id: 'grievance',
    title: 'Complaints and contact',
    body: (
      <>
        <p>
          Questions go to <SiteMailLink to="supportEmail" />.
        </p>
        <GrievanceOfficer />
      </>
    ),
  },
];
